// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.names.Address;
import java.util.List;

/**
 * What a fetch found on a remote.
 *
 * @param updated addresses that are new there, or have moved
 * @param unchanged those that are as they were
 * @param pruned those that aren't there any more, and are forgotten
 */
public record Fetched(
    RemoteName remote, List<Address> updated, List<Address> unchanged, List<Address> pruned) {

  public Fetched {
    updated = List.copyOf(updated);
    unchanged = List.copyOf(unchanged);
    pruned = List.copyOf(pruned);
  }
}
