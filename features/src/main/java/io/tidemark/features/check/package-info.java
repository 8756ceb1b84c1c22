// SPDX-License-Identifier: Apache-2.0
/**
 * Consistency check of the stored data: {@link io.tidemark.features.check.Checker} follows every
 * feature from state to state, and reports each {@link io.tidemark.features.check.Flaw}. Nothing is
 * repaired here.
 */
@NullMarked
package io.tidemark.features.check;

import org.jspecify.annotations.NullMarked;
