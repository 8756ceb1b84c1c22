// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * What an edit did.
 *
 * @param before the record that was decided about
 * @param after what became of it, the same if it was kept; empty when it was removed
 */
public record EditResult(NameRecord before, Optional<NameRecord> after) {

  /** What carrying out a decision about a record leads to. */
  public static EditResult of(NameRecord before, EditDecision editDecision) {
    if (editDecision instanceof EditDecision.Replace replace) {
      return new EditResult(before, Optional.of(replace.next()));
    }
    return new EditResult(
        before,
        editDecision == EditDecision.Remove.REMOVE ? Optional.empty() : Optional.of(before));
  }
}
