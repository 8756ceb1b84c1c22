// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import java.util.Optional;

/**
 * The concerns as keys of a document. The keys that start with {@code f:} are those that other
 * programs know. Where they can't represent a payload exactly, it is written a second time, whole,
 * under {@code tm:head}, {@code tm:index}, {@code tm:status} or {@code tm:config} (null for none).
 * That one takes precedence.
 */
final class ConcernFormat {

  private ConcernFormat() {}

  /** Reads a concern from a document that has its keys, or from one that doesn't: its beginning. */
  static ConcernValue read(String key, Concern concern, RecordKind recordKind, JsonNode node) {
    boolean ledger = recordKind == RecordKind.LEDGER;
    ConcernValue derived =
        switch (concern) {
          case HEAD -> ledger ? readHead(key, node) : ConcernValue.UNBORN;
          case INDEX -> ledger ? readIndex(key, node) : readSourceIndex(key, node);
          case STATUS -> readStatus(key, node);
          case CONFIG -> ledger ? readConfig(key, node) : readSourceConfig(key, node);
        };
    String exact = exactKey(concern);
    return node.has(exact)
        ? new ConcernValue(derived.watermark(), payload(key, node.get(exact)))
        : derived;
  }

  /** Writes a concern such that {@link #read} returns the same. */
  static void write(Concern concern, RecordKind recordKind, ConcernValue value, ObjectNode out) {
    boolean ledger = recordKind == RecordKind.LEDGER;
    JsonNode tree = tree(value);
    switch (concern) {
      case HEAD -> {
        if (ledger) {
          writeHead(value, out);
        }
      }
      case INDEX -> {
        if (ledger) {
          writeIndex(value, tree, out);
        } else {
          writeSourceIndex(value, out);
        }
      }
      case STATUS -> writeStatus(value, tree, out);
      case CONFIG -> {
        if (ledger) {
          writeConfig(value, tree, out);
        } else {
          writeSourceConfig(value, out);
        }
      }
    }
    boolean exact =
        ExactPayloadCheck.isExact(concern, recordKind, value, tree)
            || read("", concern, recordKind, out).equals(value);
    if (!exact) {
      out.set(exactKey(concern), tree(value));
    }
  }

  /** Returns a payload as it stands in a document. */
  static Optional<Payload> payload(String key, JsonNode node) {
    if (node.isNull() || node.isMissingNode()) {
      return Optional.empty();
    }
    if (!node.isObject()) {
      throw DocumentJson.corrupt(key, "has a payload that is no JSON object");
    }
    return Optional.of(Payload.of(node));
  }

  /** The other way round. */
  static JsonNode tree(ConcernValue value) {
    return value.payload().<JsonNode>map(Payload::toTree).orElse(NullNode.instance);
  }

  private static String exactKey(Concern concern) {
    return "tm:" + concern.text();
  }

  private static ConcernValue readHead(String key, JsonNode node) {
    long t = DocumentJson.number(key, node, "f:t").orElse(0L);
    return new ConcernValue(
        t,
        DocumentJson.text(key, node, "f:commitCid")
            .map(id -> Payload.build(json -> json.put("id", id).put("t", t))));
  }

  private static void writeHead(ConcernValue value, ObjectNode out) {
    text(value, "id")
        .ifPresent(
            id -> {
              out.put("f:commitCid", id);
              out.putObject("f:ledgerCommit").put("@id", id);
            });
    out.put("f:t", value.watermark());
  }

  private static ConcernValue readIndex(String key, JsonNode node) {
    JsonNode index = node.path("f:ledgerIndex");
    if (!index.isObject()) {
      return new ConcernValue(
          DocumentJson.number(key, node, "tm:indexT").orElse(0L), Optional.empty());
    }
    long t = DocumentJson.number(key, index, "f:t").orElse(0L);
    Optional<String> id =
        DocumentJson.text(key, index, "f:cid").or(() -> DocumentJson.text(key, index, "@id"));
    return new ConcernValue(
        t,
        id.map(
            cid ->
                Payload.build(
                    json -> json.putObject("default").put("id", cid).put("t", t).put("rev", 0))));
  }

  private static void writeIndex(ConcernValue value, JsonNode tree, ObjectNode out) {
    JsonNode id = tree.path("default").path("id");
    if (id.isTextual() && !id.textValue().isEmpty()) {
      out.putObject("f:ledgerIndex")
          .put("@id", id.textValue())
          .put("f:cid", id.textValue())
          .put("f:t", value.watermark());
    } else if (!value.isUnborn()) {
      out.put("tm:indexT", value.watermark());
    }
  }

  /** Fluree can't read a document for the index of a ledger that doesn't say how far it is. */
  static void requireIndex(ConcernValue value, ObjectNode out) {
    if (!out.has("f:ledgerIndex")) {
      out.remove("tm:indexT");
      out.putObject("f:ledgerIndex").put("f:t", value.watermark());
    }
  }

  private static ConcernValue readSourceIndex(String key, JsonNode node) {
    long t = DocumentJson.number(key, node, "f:graphSourceIndexT").orElse(0L);
    return new ConcernValue(
        t,
        DocumentJson.text(key, node.path("f:graphSourceIndex"), "f:graphSourceIndexCid")
            .map(id -> Payload.build(json -> json.put("id", id).put("index_t", t))));
  }

  private static void writeSourceIndex(ConcernValue value, ObjectNode out) {
    text(value, "id")
        .ifPresent(
            id ->
                out.putObject("f:graphSourceIndex")
                    .put("@type", "f:ContentId")
                    .put("f:graphSourceIndexCid", id));
    if (!value.isUnborn()) {
      out.put("f:graphSourceIndexT", value.watermark());
    }
  }

  private static ConcernValue readStatus(String key, JsonNode node) {
    String state = DocumentJson.text(key, node, "f:status").orElse("ready");
    long v = DocumentJson.number(key, node, "f:statusV").orElse(1L);
    Payload payload =
        Payload.build(
            json -> {
              json.put("state", state);
              json.setAll(fields(node.path("f:statusMeta")));
            });
    return ConcernValue.of(v, payload);
  }

  private static void writeStatus(ConcernValue value, JsonNode tree, ObjectNode out) {
    out.put("f:status", text(value, "state").orElse("ready"));
    out.put("f:statusV", value.watermark());
    ObjectNode rest = fields(tree);
    rest.remove("state");
    if (!rest.isEmpty()) {
      out.set("f:statusMeta", rest);
    }
  }

  private static ConcernValue readConfig(String key, JsonNode node) {
    ObjectNode set = DocumentJson.object();
    DocumentJson.text(key, node, "f:defaultContextCid")
        .ifPresent(id -> set.put("default_context_id", id));
    DocumentJson.text(key, node, "f:configCid").ifPresent(id -> set.put("config_id", id));
    set.setAll(fields(node.path("f:configMeta")));
    long v = DocumentJson.number(key, node, "f:configV").orElse(set.isEmpty() ? 0L : 1L);
    return v == 0 && set.isEmpty() ? ConcernValue.UNBORN : ConcernValue.of(v, Payload.of(set));
  }

  private static void writeConfig(ConcernValue value, JsonNode tree, ObjectNode out) {
    ObjectNode rest = fields(tree);
    out.put("f:configV", value.watermark());
    text(value, "default_context_id")
        .or(() -> text(value, "default_context"))
        .ifPresent(id -> out.put("f:defaultContextCid", id));
    text(value, "config_id").ifPresent(id -> out.put("f:configCid", id));
    if (out.has("f:defaultContextCid")) {
      rest.remove("default_context_id");
      rest.remove("default_context");
    }
    if (out.has("f:configCid")) {
      rest.remove("config_id");
    }
    if (!rest.isEmpty()) {
      out.set("f:configMeta", rest);
    }
  }

  /** A graph source's set-up is kept as the very text that it was given in. */
  private static ConcernValue readSourceConfig(String key, JsonNode node) {
    Optional<Payload> payload =
        DocumentJson.text(key, node.path("f:graphSourceConfig"), "@value").map(Payload::parse);
    long v = DocumentJson.number(key, node, "f:configV").orElse(payload.isPresent() ? 1L : 0L);
    return new ConcernValue(v, payload);
  }

  private static void writeSourceConfig(ConcernValue value, ObjectNode out) {
    out.put("f:configV", value.watermark());
    value
        .payload()
        .ifPresent(payload -> out.putObject("f:graphSourceConfig").put("@value", payload.toJson()));
  }

  private static Optional<String> text(ConcernValue value, String field) {
    return value.payload().flatMap(p -> p.string(field)).filter(text -> !text.isEmpty());
  }

  private static ObjectNode fields(JsonNode node) {
    return node instanceof ObjectNode object ? object.deepCopy() : DocumentJson.object();
  }
}
