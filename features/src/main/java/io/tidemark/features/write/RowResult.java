// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Feature;
import java.util.Optional;

/** What became of one write. */
public sealed interface RowResult {

  /** The id of the feature, as it is stored. */
  String id();

  /** Returns whether all is as the write wanted it. */
  default boolean done() {
    return !(this instanceof Conflict || this instanceof Missing || this instanceof Invalid);
  }

  /** It is there now. */
  record Created(String id, Feature state) implements RowResult {}

  /** It has a new state. */
  record Updated(String id, Feature state) implements RowResult {}

  /**
   * It is gone.
   *
   * @param state the last one, with the action DELETE; empty when nobody keeps it, or nobody asked
   */
  record Deleted(String id, Optional<Feature> state) implements RowResult {}

  /**
   * It is gone, and no deletion copy is left.
   *
   * @param state the last one, with the action DELETE; empty when nobody keeps it, or nobody asked
   */
  record Purged(String id, Optional<Feature> state) implements RowResult {}

  /** There was nothing to delete. */
  record Retained(String id) implements RowResult {}

  /**
   * It isn't in the state that was expected; nothing was done.
   *
   * @param actual the state it is in
   */
  record Conflict(String id, String message, Optional<Feature> actual) implements RowResult {}

  /** It isn't there; nothing was done. */
  record Missing(String id, String message) implements RowResult {}

  /** It can't be done, to no state; nothing was done. */
  record Invalid(String id, String message) implements RowResult {}
}
