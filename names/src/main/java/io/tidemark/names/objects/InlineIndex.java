// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Concern;
import io.tidemark.names.objects.RecordKey.Part;
import java.util.Map;
import java.util.Optional;

/**
 * An index that the main document holds though there is a document for it, as other programs left
 * it or as the record was born with it.
 */
final class InlineIndex {

  private final Documents documents;
  private final RecordReader reader;

  InlineIndex(Documents documents, RecordReader reader) {
    this.documents = documents;
    this.reader = reader;
  }

  /**
   * The main document as it is to be written: an index that it holds is moved to its own document
   * first. From then on that has the newer index, so nothing changes for readers meanwhile.
   *
   * @return empty when somebody else was faster
   */
  Optional<MainDocument> moveOutOf(MainDocument main) {
    if (!main.layout().apart().contains(Concern.INDEX) || !main.holdsIndex()) {
      return Optional.of(main);
    }
    String key = reader.key(main.record().address(), Part.INDEX);
    SideDocument side = SideDocument.read(main, Concern.INDEX, documents.read(key));
    Loaded both = new Loaded(main, Map.of(Concern.INDEX, side));
    boolean moved =
        side.holds(main)
            || documents
                .write(side.document(), side.write(main, both.record(), side.seal()))
                .isPresent();
    return moved ? Optional.of(main.withoutIndex()) : Optional.empty();
  }
}
