// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.Optional;

/**
 * Ledger in a listing.
 *
 * @param ledger name with the branch
 * @param headCommitId newest commit that the nameservice knows
 */
public record LedgerEntry(String ledger, Optional<Long> headCommitId) {}
