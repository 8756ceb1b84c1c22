// SPDX-License-Identifier: Apache-2.0
/**
 * Checks what is stored of a ledger against what its commits wrote: every manifest, data file and
 * snapshot. Start with {@link io.tidemark.ledger.internal.verify.Verification}.
 */
@NullMarked
package io.tidemark.ledger.internal.verify;

import org.jspecify.annotations.NullMarked;
