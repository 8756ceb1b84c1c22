// SPDX-License-Identifier: Apache-2.0
/**
 * Room on the local disk for what is too much for memory.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.scratch.ScratchFile}.
 */
@NullMarked
package io.tidemark.ledger.internal.scratch;

import org.jspecify.annotations.NullMarked;
