// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

/** Operations on a collection itself. */
public interface CollectionAdministration {

  /** Returns the collection, deleted or not, with an estimate of the number of its features. */
  FeatureCollectionInfo info();

  /**
   * Creates the collection.
   *
   * @throws FeatureCollectionExistsException if there is one, deleted or not
   */
  FeatureCollectionInfo create(CollectionSettings settings);

  /** Changes only the given settings. */
  FeatureCollectionInfo update(CollectionSettings settings);

  /** Hides the collection, so that it takes no writes. Nothing is lost. */
  CollectionRemoval delete();

  /** Makes a deleted collection what it was. */
  FeatureCollectionInfo restore();

  /** Drops the collection, deleted or not, with its features and their history. */
  CollectionRemoval purge();
}
