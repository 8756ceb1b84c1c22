// SPDX-License-Identifier: Apache-2.0
/**
 * Files of features, read one feature at a time. {@link io.tidemark.features.bulk.input.Input} is
 * what is read; one thread takes it apart into {@link io.tidemark.features.bulk.input.InputEntry
 * entries}, whose {@link io.tidemark.features.bulk.input.EntryParser} is then used by many.
 */
@NullMarked
package io.tidemark.features.bulk.input;

import org.jspecify.annotations.NullMarked;
