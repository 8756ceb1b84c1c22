// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Outcome of writing one feature. */
public sealed interface FeaturePutResult {

  /**
   * The feature is new.
   *
   * @param state the feature as it is now
   */
  record Created(ObjectNode state) implements FeaturePutResult {}

  /**
   * The feature has a new state.
   *
   * @param state the feature as it is now
   */
  record Updated(ObjectNode state) implements FeaturePutResult {}

  /**
   * The feature isn't in the expected state; nothing was written.
   *
   * @param message explanation for a person
   * @param actual the feature as it is; empty if it doesn't exist
   */
  record Conflict(String message, Optional<ObjectNode> actual) implements FeaturePutResult {}
}
