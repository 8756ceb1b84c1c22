// SPDX-License-Identifier: Apache-2.0
/**
 * Work for all cores of the machine.
 *
 * <p>Start with {@link io.tidemark.ledger.cores.InOrder}. What is computed here never depends on
 * how many cores there are, only how long it takes.
 */
@NullMarked
package io.tidemark.ledger.cores;

import org.jspecify.annotations.NullMarked;
