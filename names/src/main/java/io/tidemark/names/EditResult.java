// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * Result of an edit.
 *
 * @param before the record that the edit decided about
 * @param after the record after the edit, equal to {@code before} if it was kept; empty when it was
 *     removed
 */
public record EditResult(NameRecord before, Optional<NameRecord> after) {

  /** Returns the result of carrying out a decision about a record. */
  public static EditResult of(NameRecord before, EditDecision editDecision) {
    if (editDecision instanceof EditDecision.Replace replace) {
      return new EditResult(before, Optional.of(replace.next()));
    }
    return new EditResult(
        before,
        editDecision == EditDecision.Remove.REMOVE ? Optional.empty() : Optional.of(before));
  }
}
