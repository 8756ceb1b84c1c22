// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import java.util.Optional;
import java.util.Set;

/**
 * Something happened to a record since the watch last spoke of it. What its concerns point to now
 * is to be fetched from the nameservice, which returns that state or a newer one.
 *
 * @param type the type of the event
 * @param address the record that it happened to
 * @param moved the concerns that aren't as the watch last told, of those it was asked about; of a
 *     record that appeared all it has
 * @param before how far the record was when the watch last spoke of it; empty when it wasn't there.
 *     What lies between that and now was skipped
 * @param now how far it is; empty when it isn't there or can't be read
 * @param problem why a record can't be read; empty unless that is the type
 */
public record NameEvent(
    Type type,
    Address address,
    Set<Concern> moved,
    Optional<Watermarks> before,
    Optional<Watermarks> now,
    Optional<String> problem) {

  /** Type of an event. */
  public enum Type {
    /**
     * The record exists, and the watch hadn't told so: it was created, or the watch has just begun.
     */
    APPEARED,
    /** Some of its concerns moved. */
    MOVED,
    /** The record was retracted. */
    RETRACTED,
    /** The record was restored, and can be changed again. */
    RESTORED,
    /** The record was removed. */
    PURGED,
    /** The record is damaged or may not be read; its state is unknown until that is repaired. */
    UNREADABLE
  }

  public NameEvent {
    moved = Set.copyOf(moved);
  }
}
