// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What became of one feature that was to be written. */
public sealed interface PutOutcome {

  /** It is there, in this state. */
  record Written(JsonNode state) implements PutOutcome {}

  /**
   * It isn't in the state that was expected; nothing was done.
   *
   * @param actual the state it is in; empty when it isn't there
   */
  record Conflict(Optional<JsonNode> actual) implements PutOutcome {}
}
