// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.names.Address;
import java.util.List;
import java.util.Optional;

/**
 * Result of a fetch from a remote.
 *
 * @param updated addresses that are new there, or have moved
 * @param unchanged those that are as they were
 * @param pruned those that aren't there any more, and are forgotten
 * @param last the last that was looked at, if there are more behind it
 */
public record FetchOutcome(
    RemoteName remote,
    List<Address> updated,
    List<Address> unchanged,
    List<Address> pruned,
    Optional<Address> last) {

  public FetchOutcome {
    updated = List.copyOf(updated);
    unchanged = List.copyOf(unchanged);
    pruned = List.copyOf(pruned);
  }
}
