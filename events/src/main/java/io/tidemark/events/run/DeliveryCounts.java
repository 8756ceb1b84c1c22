// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/**
 * Numbers of deliveries by outcome.
 *
 * @param acked handled
 * @param released failed, to be retried unless it was the last attempt
 * @param deadLettered given up at once, because a retry would fail too
 * @param superseded handled too late: the lease had expired and another session has the event
 * @param unsettled left until their leases expire, because the store couldn't be reached
 */
public record DeliveryCounts(
    long acked, long released, long deadLettered, long superseded, long unsettled) {

  public static final DeliveryCounts NONE = new DeliveryCounts(0, 0, 0, 0, 0);

  /** Returns the number of all deliveries. */
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
