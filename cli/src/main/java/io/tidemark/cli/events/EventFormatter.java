// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventClaim;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;

/** Events, claims and dead letters as people see them. */
final class EventFormatter {

  /** Of a payload or an error in a table; {@code show} and {@code --json} have all of it. */
  private static final int LONGEST = 100;

  private EventFormatter() {}

  static String time(Instant moment) {
    return UtcTimestamp.format(moment);
  }

  /** A text that fits into a table. */
  static String brief(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
  }

  /** How far a handler is, in words. */
  static String state(EventClaim claim, Instant now) {
    if (claim.deadLetteredAt().isPresent()) {
      return "given up at " + time(claim.deadLetteredAt().get());
    }
    if (claim.ackAt().isPresent()) {
      return "acknowledged at " + time(claim.ackAt().get());
    }
    if (claim.isHeldAt(now)) {
      return "claimed until " + time(claim.leaseUntil());
    }
    return claim.dueAt().isAfter(now) ? "to be tried at " + time(claim.dueAt()) : "to be tried";
  }
}
