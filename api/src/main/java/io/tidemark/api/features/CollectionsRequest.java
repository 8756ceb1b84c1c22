// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

/**
 * Listing of collections.
 *
 * @param deleted whether deleted ones are listed, too
 */
public record CollectionsRequest(boolean deleted) {

  /** Returns the listing of collections that aren't deleted. */
  public static CollectionsRequest current() {
    return new CollectionsRequest(false);
  }

  /** Returns the listing of all collections. */
  public static CollectionsRequest withDeleted() {
    return new CollectionsRequest(true);
  }
}
