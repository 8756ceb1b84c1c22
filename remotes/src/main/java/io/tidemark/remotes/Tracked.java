// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Ref;
import java.time.Instant;
import java.util.Optional;

/**
 * What was found of an address on a remote when somebody looked last.
 *
 * @param commit its head; empty while that is unborn, and for a graph source
 * @param index what is indexed; empty while nothing is
 * @param fetched when it was found to have changed
 */
public record Tracked(
    RemoteName remote,
    Address address,
    Optional<Ref> commit,
    Optional<Ref> index,
    boolean retracted,
    Instant fetched) {

  static Tracked of(RemoteName remote, NameRecord record, Instant now) {
    return new Tracked(
        remote,
        record.address(),
        born(record.commit()),
        born(record.indexed()),
        record.meta().retracted(),
        now);
  }

  private static Optional<Ref> born(Ref ref) {
    return Optional.of(ref).filter(found -> found.id().isPresent());
  }

  /** Whether it says the same, whenever that was found. */
  boolean saysTheSameAs(Tracked other) {
    return commit.equals(other.commit) && index.equals(other.index) && retracted == other.retracted;
  }
}
