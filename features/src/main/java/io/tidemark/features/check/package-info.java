// SPDX-License-Identifier: Apache-2.0
/**
 * Whether what is stored makes sense: {@link io.tidemark.features.check.Checker} follows every
 * feature from state to state, and tells each {@link io.tidemark.features.check.Flaw}. Nothing is
 * mended here.
 */
@NullMarked
package io.tidemark.features.check;

import org.jspecify.annotations.NullMarked;
