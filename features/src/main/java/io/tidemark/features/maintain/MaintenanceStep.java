// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

/**
 * Something the maintainer did, or left for the next time.
 *
 * @param kind what
 * @param table the table it was done to
 * @param detail more about it in words; empty when there is nothing more to say
 */
public record MaintenanceStep(Kind kind, String table, String detail) {

  /** What can be done to a table. */
  public enum Kind {
    /** A partition of a day was made. */
    CREATED,
    /** A partition that is too old was dropped, with what was in it. */
    DROPPED,
    /** It was noted which ids a day that is over has, so that others needn't look there. */
    SEALED,
    /** Days were put together to a month. */
    MERGED,
    /** Something was due and others were in the way; it is tried again the next time. */
    SKIPPED
  }
}
