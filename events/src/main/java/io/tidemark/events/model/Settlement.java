// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/** How an ack, a release, a renewal or the like ended. */
public sealed interface Settlement {

  /**
   * It has been done.
   *
   * @param claim how it is now
   */
  record Settled(Claim claim) implements Settlement {}

  /**
   * It had no effect: the lease had run out and somebody else has claimed the event since, or it
   * was settled before. Whoever has it now settles it.
   */
  record Superseded() implements Settlement {}

  /** Whether it has been done. */
  default boolean settled() {
    return this instanceof Settled;
  }
}
