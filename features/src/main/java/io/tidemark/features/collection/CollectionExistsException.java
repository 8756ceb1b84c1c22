// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.collection;

import io.tidemark.features.model.CollectionInfo;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** There is a collection by that id already. */
public final class CollectionExistsException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final transient CollectionInfo info;

  public CollectionExistsException(CollectionInfo info) {
    super(
        ErrorCode.ALREADY_EXISTS,
        info.deleted()
            ? "the collection "
                + info.id()
                + " is there and deleted; restore it, purge it first, or take another id"
            : "the collection " + info.id() + " is there already; use it, or take another id",
        null);
    this.info = info;
  }

  /** The one that is there. */
  public CollectionInfo info() {
    return info;
  }
}
