// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.Optional;

/**
 * Branch in a listing.
 *
 * @param ledger name with the branch
 * @param headCommitId newest commit that the nameservice knows
 * @param sourceBranch branch that it was made from; empty for the root
 */
public record BranchEntry(
    String ledger, Optional<Long> headCommitId, String branch, Optional<String> sourceBranch) {}
