// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventClaim;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;

/** Text format of events, claims and dead letters. */
final class EventFormatter {

  /**
   * Maximum length of a payload or an error in a table; {@code show} and {@code --json} have all of
   * it.
   */
  private static final int LONGEST = 100;

  private EventFormatter() {}

  static String time(Instant moment) {
    return UtcTimestamp.format(moment);
  }

  /** Shortens a text to fit into a table. */
  static String brief(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
  }

  /** Returns the state of a claim in words. */
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
