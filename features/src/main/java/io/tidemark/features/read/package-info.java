// SPDX-License-Identifier: Apache-2.0
/**
 * Reads of features, now and at any past version. Start with {@link
 * io.tidemark.features.read.ReadTransaction}; {@link io.tidemark.features.read.ReadRouter} chooses
 * the server that answers and repeats a read that it breaks off.
 *
 * <p>{@link io.tidemark.features.read.HistoryRetention} refuses versions whose history was dropped.
 */
@NullMarked
package io.tidemark.features.read;

import org.jspecify.annotations.NullMarked;
