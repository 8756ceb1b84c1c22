// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Payload;
import java.util.Optional;

/**
 * Forms of values that other programs write beside ours, turned into the one that is read here, so
 * that everything else needs to know only that. The first write of such a document converts it.
 */
final class InteropKeyNormalizer {

  private static final String LEDGER_COMMIT = "f:ledgerCommit";

  private InteropKeyNormalizer() {}

  /** Returns a copy in today's keys; what isn't known stays as it is. */
  static ObjectNode normalise(String key, ObjectNode found) {
    ObjectNode node = LegacyDocuments.toCurrentKeys(key, found);
    pointer(node, LEDGER_COMMIT, "f:commitCid");
    pointer(node, "f:commit", "f:commitCid");
    pointer(node, "f:defaultContext", "f:defaultContextCid");
    branchPoint(node);
    sourceConfig(node);
    sourceIndex(node);
    return node;
  }

  /**
   * An object with an {@code @id}, or the id alone; the newer key wins when both are there. What
   * else the object holds goes with the commit, or stays under its key.
   */
  private static void pointer(ObjectNode node, String old, String now) {
    JsonNode value = node.remove(old);
    if (value == null) {
      return;
    }
    JsonNode id = value.isObject() ? value.path("@id") : value;
    ObjectNode more = DocumentKeys.unknownIn(LEDGER_COMMIT, value);
    if (!more.isEmpty()) {
      keep(node, now.equals("f:commitCid") ? LEDGER_COMMIT : old, more);
    } else if (!value.isObject() && !value.isTextual() && !value.isNull()) {
      node.set(old, value);
    }
    if (!node.hasNonNull(now) && id.isTextual() && !id.textValue().isEmpty()) {
      node.set(now, id);
    }
  }

  private static void keep(ObjectNode node, String key, ObjectNode more) {
    if (node.get(key) instanceof ObjectNode there) {
      more.properties().forEach(each -> there.putIfAbsent(each.getKey(), each.getValue()));
    } else {
      node.set(key, more);
    }
  }

  private static void branchPoint(ObjectNode node) {
    JsonNode source = node.path("f:branchPoint").path("f:source");
    if (source.isTextual() && !node.hasNonNull("f:sourceBranch")) {
      node.set("f:sourceBranch", source);
    }
  }

  /** Whatever form the set-up has, its text is what is kept. */
  private static void sourceConfig(ObjectNode node) {
    JsonNode config = node.path("f:graphSourceConfig");
    if (config.isMissingNode()) {
      return;
    }
    boolean wrapped = config.isObject() && config.has("@value");
    JsonNode value = wrapped ? config.get("@value") : config;
    if (value.isNull()) {
      node.remove("f:graphSourceConfig");
      return;
    }
    String text = value.isTextual() ? value.textValue() : value.toString();
    ObjectNode more =
        wrapped ? DocumentKeys.unknownIn("f:graphSourceConfig", config) : DocumentJson.object();
    node.set("f:graphSourceConfig", more.put("@value", asObject(text)));
  }

  /** A payload is always an object, so other JSON, or what isn't JSON, is wrapped in one. */
  private static String asObject(String text) {
    try {
      return Payload.parse(text).toJson();
    } catch (InvalidPayloadException e) {
      return DocumentJson.object().put("@value", text).toString();
    }
  }

  private static void sourceIndex(ObjectNode node) {
    JsonNode index = node.path("f:graphSourceIndex");
    if (index.isMissingNode()) {
      return;
    }
    Optional<String> id =
        Optional.of(index)
            .map(
                n ->
                    n.isObject() && n.has("f:graphSourceIndexCid")
                        ? n.get("f:graphSourceIndexCid")
                        : n)
            .map(n -> n.isObject() && n.has("@value") ? n.get("@value") : n)
            .map(n -> n.isObject() && n.has("@id") ? n.get("@id") : n)
            .filter(JsonNode::isTextual)
            .map(JsonNode::textValue);
    ObjectNode more = DocumentKeys.unknownIn("f:graphSourceIndex", index);
    node.remove("f:graphSourceIndex");
    id.ifPresentOrElse(
        text ->
            node.set(
                "f:graphSourceIndex",
                more.put("@type", "f:ContentId").put("f:graphSourceIndexCid", text)),
        () -> keepIndex(node, index));
  }

  /** One that can't be understood stays under the key that it once had. */
  private static void keepIndex(ObjectNode node, JsonNode index) {
    if (!index.isNull()) {
      node.set("fidx:index", index);
    }
  }
}
