// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.collection;

import io.tidemark.features.model.CollectionInfo;

/** How the creation of a collection ended. */
public sealed interface CreationResult {

  /** It is there and empty. */
  record Created(CollectionInfo info) implements CreationResult {}

  /**
   * There was one by that id, which is as it was.
   *
   * @param info the one that is there; it may be deleted, then restore or purge it
   */
  record Exists(CollectionInfo info) implements CreationResult {}
}
