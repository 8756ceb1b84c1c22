// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;

/**
 * Addresses that were found on a remote.
 *
 * @param updated addresses that are new there or have moved
 * @param unchanged addresses that are as they were
 * @param pruned addresses that aren't there any more, and are forgotten
 * @param next cursor of the part behind; empty on the last one
 */
public record FetchResult(
    String remote,
    List<String> updated,
    List<String> unchanged,
    List<String> pruned,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> next) {

  public FetchResult {
    updated = List.copyOf(updated);
    unchanged = List.copyOf(unchanged);
    pruned = List.copyOf(pruned);
  }
}
