// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.CollectionInfo;
import io.tidemark.objects.TidemarkException;

/** There is a collection by that id already. */
final class CollectionThereException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  CollectionThereException(CollectionInfo info) {
    super(
        "already-exists",
        info.deleted()
            ? "the collection "
                + info.id()
                + " is there and deleted; restore it, purge it first, or take another id"
            : "the collection " + info.id() + " is there already; use it, or take another id",
        null);
  }
}
