// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Concern;
import io.tidemark.names.objects.RecordKey.Part;
import java.util.Set;

/**
 * Layout of a record: the documents that it is made of. Each record keeps the layout that it was
 * created with, and every layout is readable whichever one a backend was opened with, so this
 * decides about new records only.
 */
public enum DocumentLayout {
  /**
   * All in one: {@code main.json}. The fewest reads; all writers of a record share one document.
   */
  A,
  /** The index apart: {@code main.json} and {@code main.index.json}. The usual choice. */
  B,
  /**
   * Each concern apart: {@code main.head.json}, which also says what the record is, {@code
   * main.index.json}, {@code main.status.json} and {@code main.config.json}. The last three appear
   * with the first change of theirs. For status that changes all the time.
   */
  C;

  /** Returns the document that says whether there is a record. */
  Part main() {
    return this == C ? Part.HEAD : Part.MAIN;
  }

  /** Returns the concerns that have documents of their own. */
  Set<Concern> apart() {
    return switch (this) {
      case A -> Set.of();
      case B -> Set.of(Concern.INDEX);
      case C -> Set.of(Concern.INDEX, Concern.STATUS, Concern.CONFIG);
    };
  }

  /** Returns the layout of records whose main document lies elsewhere. */
  DocumentLayout other() {
    return this == C ? B : C;
  }
}
