// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * Options of a cleanup.
 *
 * @param before events published before, with their claims
 * @param unfinished what becomes of unfinished events
 * @param deadLettersBefore dead letters of events given up before; empty to keep all
 * @param sessionsBefore sessions whose last heartbeat is before; empty to keep all
 */
@RecordBuilder
public record Cleanup(
    Instant before,
    Unfinished unfinished,
    Optional<Instant> deadLettersBefore,
    Optional<Instant> sessionsBefore)
    implements CleanupBuilder.With {

  /**
   * Policy for events that no handler has claimed yet, or that a handler has claimed and neither
   * acknowledged nor given up. Handlers aren't recorded, so a cleanup doesn't wait for a handler
   * that has never claimed an event.
   */
  public enum Unfinished {
    KEEP,
    DELETE
  }

  /** Returns a cleanup of finished events published before a moment. */
  public static Cleanup before(Instant moment) {
    return new Cleanup(moment, Unfinished.KEEP, Optional.empty(), Optional.empty());
  }
}
