// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * What an edit did.
 *
 * @param before the record that was decided about
 * @param after what became of it, the same if it was kept; empty when it was removed
 */
public record Edited(NameRecord before, Optional<NameRecord> after) {

  /** What carrying out a decision about a record leads to. */
  public static Edited of(NameRecord before, Edit edit) {
    if (edit instanceof Edit.Replace replace) {
      return new Edited(before, Optional.of(replace.next()));
    }
    return new Edited(before, edit == Edit.Remove.REMOVE ? Optional.empty() : Optional.of(before));
  }
}
