// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Feature;
import java.util.Optional;

/** Result of one write. */
public sealed interface RowResult {

  /** Returns the id of the feature, as it is stored. */
  String id();

  /** Returns whether the write had the wanted effect. */
  default boolean done() {
    return !(this instanceof Conflict || this instanceof Missing || this instanceof Invalid);
  }

  /** The feature was created. */
  record Created(String id, Feature state) implements RowResult {}

  /** The feature was updated. */
  record Updated(String id, Feature state) implements RowResult {}

  /**
   * The feature was deleted.
   *
   * @param state its last state, with the action DELETE; empty when it isn't kept or wasn't
   *     requested
   */
  record Deleted(String id, Optional<Feature> state) implements RowResult {}

  /**
   * The feature was deleted, and no deletion copy is left.
   *
   * @param state its last state, with the action DELETE; empty when it isn't kept or wasn't
   *     requested
   */
  record Purged(String id, Optional<Feature> state) implements RowResult {}

  /** There was no feature to delete. */
  record Retained(String id) implements RowResult {}

  /**
   * The feature isn't in the expected state; nothing was done.
   *
   * @param actual the state it is in
   */
  record Conflict(String id, String message, Optional<Feature> actual) implements RowResult {}

  /** The feature doesn't exist; nothing was done. */
  record Missing(String id, String message) implements RowResult {}

  /** The write is invalid regardless of the stored state; nothing was done. */
  record Invalid(String id, String message) implements RowResult {}
}
