// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import java.util.List;

/**
 * Remote with the addresses here that follow it.
 *
 * @param upstreams addresses that are pulled from the remote and pushed to it unless a request
 *     names another one
 */
public record RemoteSummary(String name, String location, List<Follower> upstreams) {

  public RemoteSummary {
    upstreams = List.copyOf(upstreams);
  }

  /**
   * Address that follows a remote.
   *
   * @param local address here
   * @param there address on the remote
   */
  public record Follower(String local, String there) {}
}
