// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * What is to be thrown away.
 *
 * @param before events published before, with their claims
 * @param unfinished what becomes of events that aren't finished
 * @param deadLettersBefore dead letters of events given up before; empty to keep all
 * @param sessionsBefore sessions last heard of before; empty to keep all
 */
@RecordBuilder
public record Cleanup(
    Instant before,
    Unfinished unfinished,
    Optional<Instant> deadLettersBefore,
    Optional<Instant> sessionsBefore)
    implements CleanupBuilder.With {

  /**
   * Events that no handler has claimed yet, or that one has neither acknowledged nor given up.
   * Handlers are written down nowhere, so one that has never claimed an event isn't waited for.
   */
  public enum Unfinished {
    KEEP,
    DELETE
  }

  /** Finished events published before. */
  public static Cleanup before(Instant moment) {
    return new Cleanup(moment, Unfinished.KEEP, Optional.empty(), Optional.empty());
  }
}
