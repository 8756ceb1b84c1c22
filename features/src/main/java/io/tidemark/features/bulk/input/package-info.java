// SPDX-License-Identifier: Apache-2.0
/**
 * Files of features, read one feature at a time. {@link io.tidemark.features.bulk.input.Input} is
 * the source. One thread splits it into {@link io.tidemark.features.bulk.input.InputEntry entries},
 * and many threads share their {@link io.tidemark.features.bulk.input.EntryParser}.
 */
@NullMarked
package io.tidemark.features.bulk.input;

import org.jspecify.annotations.NullMarked;
