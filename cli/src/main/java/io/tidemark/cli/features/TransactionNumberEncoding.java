// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Encoding of transaction numbers as text, for programs that would round them. */
final class TransactionNumberEncoding {

  private static final Set<String> NAMES = Set.of("txn", "txn_next");

  private TransactionNumberEncoding() {}

  /** Returns a copy in which the numbers are text at every depth. */
  static JsonNode of(JsonNode result) {
    JsonNode copy = result.deepCopy();
    change(copy);
    return copy;
  }

  private static void change(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (String name : NAMES) {
        if (object.path(name).isIntegralNumber()) {
          object.put(name, object.get(name).asText());
        }
      }
    }
    node.forEach(TransactionNumberEncoding::change);
  }
}
