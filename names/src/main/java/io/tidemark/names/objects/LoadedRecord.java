// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Concern;
import io.tidemark.names.NameRecord;
import java.util.Map;
import java.util.Optional;

/**
 * The documents of a record that were asked for.
 *
 * @param main the main one
 * @param sides those beside it, by concern
 */
record LoadedRecord(MainDocument main, Map<Concern, SideDocument> sides) {

  /** Returns the record that the documents form together. */
  NameRecord record() {
    NameRecord record = main.record();
    for (SideDocument side : sides.values()) {
      record = side.mergedInto(record, main);
    }
    return record;
  }

  /**
   * Returns whether some were read before and some after the record was retracted or restored: as
   * long as it is retracted, no document beside the main one is in use.
   */
  boolean isTorn() {
    return main.record().meta().retracted()
        && sides.values().stream().anyMatch(SideDocument::isInUse);
  }

  Optional<SideDocument> side(Concern concern) {
    return Optional.ofNullable(sides.get(concern));
  }
}
