// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.OptionalLong;

/**
 * A branch to be made.
 *
 * @param branch name of the branch
 * @param at commit at which it begins; empty for the newest
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record BranchRequest(String branch, OptionalLong at) {

  /** Returns a request for a branch at the newest commit. */
  public static BranchRequest of(String branch) {
    return new BranchRequest(branch, OptionalLong.empty());
  }
}
