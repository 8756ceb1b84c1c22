// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/** Result of an acknowledgement, a release, a renewal or a dead-lettering. */
public sealed interface Settlement {

  /**
   * The claim was updated.
   *
   * @param claim the claim after the update
   */
  record Settled(Claim claim) implements Settlement {}

  /**
   * The call had no effect: the lease expired and another session has claimed the event since, or
   * the event was settled before. Its current holder, if any, settles it.
   */
  record Superseded() implements Settlement {}

  /** Returns whether the claim was updated. */
  default boolean settled() {
    return this instanceof Settled;
  }
}
