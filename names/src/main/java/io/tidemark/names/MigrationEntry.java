// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * Entry of a migration's report: the outcome for an object in an older form, or the expected
 * outcome in a dry run.
 *
 * @param from where it lay, as a person would write it: a key, an item
 * @param form which older form it was in, in a word or two
 * @param to the record it belongs to; empty when that can't be told
 * @param outcome what became of it
 * @param note what else a person should know; empty when there is nothing
 */
public record MigrationEntry(
    String from, String form, Optional<Address> to, Outcome outcome, String note) {

  /** Outcome for one record. */
  public enum Outcome {
    /** It is now in today's form. */
    CONVERTED,
    /** There was a record of that address in today's form already, and that one stays. */
    SUPERSEDED,
    /** It couldn't be converted, is left as it is, and the note says why. */
    FAILED
  }
}
