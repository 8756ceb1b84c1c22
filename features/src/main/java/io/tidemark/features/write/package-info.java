// SPDX-License-Identifier: Apache-2.0
/**
 * Writes of features. Start with {@link io.tidemark.features.write.Transaction} and {@link
 * io.tidemark.features.write.Write}; the result of each write is a {@link
 * io.tidemark.features.write.RowResult}. {@code BatchWriter} explains the order of locks, and
 * {@link io.tidemark.features.write.InitialVersions} makes the rows of a load.
 */
@NullMarked
package io.tidemark.features.write;

import org.jspecify.annotations.NullMarked;
