// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.tidemark.names.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Remote with the state in which its addresses were found.
 *
 * @param upstreams addresses here that follow the remote; empty but on the first part
 * @param tracked addresses of the remote that are remembered
 * @param next cursor of the part behind; empty on the last one
 */
public record RemoteDetails(
    String name,
    String location,
    List<RemoteSummary.Follower> upstreams,
    List<Tracked> tracked,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> next) {

  public RemoteDetails {
    upstreams = List.copyOf(upstreams);
    tracked = List.copyOf(tracked);
  }

  /**
   * State of an address on a remote when it was last looked at.
   *
   * @param commitHead head; empty while it is unborn, and for a graph source
   * @param indexHead state that is indexed; empty while there is none
   * @param lastFetched time at which this state was found first
   */
  public record Tracked(
      String address,
      Optional<Ref> commitHead,
      Optional<Ref> indexHead,
      boolean retracted,
      Instant lastFetched) {}
}
