// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/**
 * What became of deliveries.
 *
 * @param acked handled
 * @param released failed, to be tried again unless it was the last time
 * @param deadLettered given up at once, because trying again would make no difference
 * @param superseded handled too late: the lease had run out and somebody else has the event
 * @param unsettled left to their leases, because the store couldn't be reached
 */
public record DeliveryCounts(
    long acked, long released, long deadLettered, long superseded, long unsettled) {

  public static final DeliveryCounts NONE = new DeliveryCounts(0, 0, 0, 0, 0);

  /** How many there were. */
  public long deliveries() {
    return acked + released + deadLettered + superseded + unsettled;
  }

  public DeliveryCounts plus(DeliveryCounts other) {
    return new DeliveryCounts(
        acked + other.acked,
        released + other.released,
        deadLettered + other.deadLettered,
        superseded + other.superseded,
        unsettled + other.unsettled);
  }

  DeliveryCounts minus(DeliveryCounts other) {
    return new DeliveryCounts(
        acked - other.acked,
        released - other.released,
        deadLettered - other.deadLettered,
        superseded - other.superseded,
        unsettled - other.unsettled);
  }
}
