// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * Entry of a migration's report: the outcome for an object in an older form, or the expected
 * outcome in a dry run.
 *
 * @param from the old location, as a user would write it: a key, an item
 * @param form which older form it was in, in a word or two
 * @param to the record it belongs to; empty when that can't be told
 * @param outcome the outcome
 * @param note further information for the user; empty for none
 */
public record MigrationEntry(
    String from, String form, Optional<Address> to, Outcome outcome, String note) {

  /** Outcome for one record. */
  public enum Outcome {
    /** The object was converted to the current form. */
    CONVERTED,
    /** There was a record of that address in today's form already, and that one stays. */
    SUPERSEDED,
    /** The object couldn't be converted and is left as it is; the note says why. */
    FAILED
  }
}
