// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import java.util.stream.Stream;

/** How long our documents are, so that a floor writes no less. */
final class DocumentLengths {

  private DocumentLengths() {}

  /** Of whichever record comes first; they are all alike. */
  static int ofOneDocument(ObjectStore store) {
    try (Stream<ObjectInfo> documents = store.list("ns@v2/")) {
      return Math.toIntExact(documents.findFirst().orElseThrow().size());
    }
  }
}
