// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

/**
 * A step that the maintainer did, or left for the next run.
 *
 * @param kind the kind of step
 * @param table the table that it changed
 * @param detail further explanation in words; empty when there is none
 */
public record MaintenanceStep(Kind kind, String table, String detail) {

  /** Kinds of steps on a table. */
  public enum Kind {
    /** A partition of a day was made. */
    CREATED,
    /** A partition that is too old was dropped, with its rows. */
    DROPPED,
    /** The ids of a past day were recorded, so that searches for other ids can skip it. */
    SEALED,
    /** Days were put together to a month. */
    MERGED,
    /** A step was due, but a lock wasn't free; it is retried in the next run. */
    SKIPPED
  }
}
