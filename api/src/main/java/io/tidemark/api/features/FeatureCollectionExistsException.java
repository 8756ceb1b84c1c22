// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** There is a collection of that id. Nothing was changed. */
public final class FeatureCollectionExistsException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final transient FeatureCollectionInfo actual;

  public FeatureCollectionExistsException(FeatureCollectionInfo actual) {
    super(
        ErrorCode.ALREADY_EXISTS,
        actual.isDeleted()
            ? "the collection "
                + actual.id()
                + " is there and deleted; restore it, purge it first, or take another id"
            : "the collection " + actual.id() + " is there already; use it, or take another id");
    this.actual = actual;
  }

  /** Returns the collection that exists. */
  public FeatureCollectionInfo actual() {
    return actual;
  }
}
