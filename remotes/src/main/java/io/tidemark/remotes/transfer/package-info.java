// SPDX-License-Identifier: Apache-2.0
/**
 * Moves what one store has of an address to another: the commits that are missing, then the head,
 * then the name. Knows nothing of remotes and of which side is here.
 *
 * <p>Start with {@link io.tidemark.remotes.transfer.Transfer}.
 */
@NullMarked
package io.tidemark.remotes.transfer;

import org.jspecify.annotations.NullMarked;
