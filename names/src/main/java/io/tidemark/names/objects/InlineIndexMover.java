// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.NameRecord;
import io.tidemark.names.objects.RecordKey.Part;
import java.util.Optional;

/**
 * An index that the main document holds though there is a document for it, as other programs left
 * it or as the record was born with it.
 */
final class InlineIndexMover {

  private final DocumentStore documentStore;
  private final RecordReader reader;

  InlineIndexMover(DocumentStore documentStore, RecordReader reader) {
    this.documentStore = documentStore;
    this.reader = reader;
  }

  /**
   * Returns the main document as it is to be written: an index that it holds is moved to its own
   * document first. From then on that has the newer index, so nothing changes for readers
   * meanwhile.
   *
   * @return empty when another writer was faster
   */
  Optional<MainDocument> moveOutOf(MainDocument main) {
    if (!main.layout().apart().contains(Concern.INDEX) || !main.holdsIndex()) {
      return Optional.of(main);
    }
    Address address = main.record().address();
    Document found = documentStore.read(reader.key(address, Part.INDEX));
    SideDocument side = SideDocument.read(main, Concern.INDEX, found);
    NameRecord both = side.mergedInto(main.record(), main);
    boolean moved =
        side.holds(main)
            || documentStore
                .write(address, Concern.INDEX, found, side.next(main, both, side.fence()))
                .isPresent();
    return moved ? Optional.of(main.withoutIndex()) : Optional.empty();
  }
}
