// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.collection;

import io.tidemark.features.model.CollectionInfo;

/** Result of creating a collection. */
public sealed interface CreationResult {

  /** The collection was created and is empty. */
  record Created(CollectionInfo info) implements CreationResult {}

  /**
   * A collection with that id existed and is unchanged.
   *
   * @param info the existing collection; it may be deleted, then restore or purge it
   */
  record Exists(CollectionInfo info) implements CreationResult {}
}
