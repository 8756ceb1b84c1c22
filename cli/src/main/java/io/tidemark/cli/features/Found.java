// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Prints what was asked for by name, and says what of it isn't there.
 *
 * @param json features, with the names of those that are {@code missing}
 */
record Found(JsonNode json) {

  /** Prints both, and says what to end with. */
  int print(StorageChoice storage) {
    storage.print(
        json, json.path("features").isEmpty() ? "no features" : ShownFeatures.table(json));
    if (json.path("missing").isEmpty()) {
      return ExitCodes.OK;
    }
    storage.out().flush();
    String names =
        StreamSupport.stream(json.path("missing").spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(", "));
    storage.err().println("tidemark: not there: " + Plain.line(names));
    return ExitCodes.FAILED;
  }
}
