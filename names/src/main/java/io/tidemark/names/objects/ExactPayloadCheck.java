// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.RecordKind;

/**
 * Payloads that the keys of {@link ConcernFormat} can say exactly, as nearly all are: told by their
 * looks, which is much cheaper than to read back what was written.
 */
final class ExactPayloadCheck {

  private ExactPayloadCheck() {}

  /** False when it isn't, or when that is hard to tell. */
  static boolean isExact(
      Concern concern, RecordKind recordKind, ConcernValue value, JsonNode tree) {
    boolean ledger = recordKind == RecordKind.LEDGER;
    if (value.payload().isEmpty()) {
      return value.isUnborn() && concern != Concern.STATUS;
    }
    return switch (concern) {
      case HEAD -> ledger && tree.size() == 2 && isPointer(tree, "t", value);
      case INDEX ->
          ledger
              ? tree.size() == 1 && isGraph(tree.path("default"), value)
              : tree.size() == 2 && isPointer(tree, "index_t", value);
      case STATUS -> isText(tree.path("state"));
      case CONFIG -> !ledger;
    };
  }

  private static boolean isGraph(JsonNode graph, ConcernValue value) {
    return graph.size() == 3 && isPointer(graph, "t", value) && isWhole(graph.path("rev"), 0);
  }

  private static boolean isPointer(JsonNode pointer, String t, ConcernValue value) {
    return isText(pointer.path("id")) && isWhole(pointer.path(t), value.watermark());
  }

  private static boolean isText(JsonNode node) {
    return node.isTextual() && !node.textValue().isEmpty();
  }

  private static boolean isWhole(JsonNode node, long number) {
    return node.isIntegralNumber() && node.canConvertToLong() && node.longValue() == number;
  }
}
