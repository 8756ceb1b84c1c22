// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keys that all documents begin with, and the preservation of keys that aren't known here. */
final class DocumentKeys {

  /** The namespace of the keys that start with {@code f:}. */
  static final String NAMESPACE = "https://ns.flur.ee/db#";

  private static final String CONTEXT = "@context";
  private static final String TYPE = "@type";
  private static final String LEDGER_INDEX = "f:ledgerIndex";
  private static final String SOURCE_INDEX = "f:graphSourceIndex";

  /** Keys that are written anew each time, or left out because they no longer hold. */
  private static final Set<String> KNOWN =
      Set.of(
          CONTEXT,
          "@id",
          TYPE,
          "f:ledger",
          "f:name",
          "f:branch",
          "f:commitCid",
          "f:ledgerCommit",
          "f:t",
          LEDGER_INDEX,
          "f:status",
          "f:statusV",
          "f:statusMeta",
          "f:configV",
          "f:configMeta",
          "f:configCid",
          "f:defaultContextCid",
          "f:sourceBranch",
          "f:branches",
          "f:graphSourceConfig",
          "f:graphSourceDependencies",
          SOURCE_INDEX,
          "f:graphSourceIndexT",
          "tm:head",
          "tm:index",
          "tm:indexT",
          "tm:indexRev",
          "tm:status",
          "tm:config",
          "tm:retracted",
          "tm:layout",
          "tm:createdAt",
          "tm:updatedAtMs",
          "tm:record",
          "tm:kind",
          "tm:rev",
          "tm:seal",
          "tm:announced");

  /** Of the known keys those that hold an object, with what is known inside. */
  private static final Map<String, Set<String>> NESTED =
      Map.of(
          "f:ledger",
          Set.of("@id"),
          "f:ledgerCommit",
          Set.of("@id"),
          LEDGER_INDEX,
          Set.of("@id", "f:cid", "f:t"),
          "f:graphSourceConfig",
          Set.of("@value"),
          SOURCE_INDEX,
          Set.of("@type", "@id", "@value", "f:graphSourceIndexCid"));

  private DocumentKeys() {}

  /**
   * Returns the first keys of a document, with the terms that other programs have added to its
   * context.
   */
  static ObjectNode start(Address address, ObjectNode others) {
    ObjectNode out = DocumentJson.object();
    ObjectNode context = out.putObject(CONTEXT).put("f", NAMESPACE);
    if (others.path(CONTEXT) instanceof ObjectNode words) {
      words.properties().forEach(word -> context.putIfAbsent(word.getKey(), word.getValue()));
    }
    return out.put("@id", address.toString());
  }

  /** Returns the unknown keys of a document, to be carried over to the next version. */
  static ObjectNode others(ObjectNode node) {
    ObjectNode others = DocumentJson.object();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getKey().equals(CONTEXT) || !KNOWN.contains(field.getKey())) {
        others.set(field.getKey(), field.getValue());
      } else if (NESTED.containsKey(field.getKey())) {
        ObjectNode inside = unknownIn(field.getKey(), field.getValue());
        if (!inside.isEmpty()) {
          others.set(field.getKey(), inside);
        }
      }
    }
    return others;
  }

  /** Adds types that this version doesn't know. */
  static ObjectNode withTypes(ObjectNode others, List<String> types) {
    if (!types.isEmpty()) {
      types.forEach(others.putArray(TYPE)::add);
    }
    return others;
  }

  /** Returns the unknown keys of an object under a known key. */
  static ObjectNode unknownIn(String key, JsonNode value) {
    return value instanceof ObjectNode object
        ? object.deepCopy().without(NESTED.getOrDefault(key, Set.of()))
        : DocumentJson.object();
  }

  /**
   * Adds what isn't known here. What was inside an object goes with that object: where a head or an
   * index is no more, nothing is left for it to be said of.
   */
  static ObjectNode finish(ObjectNode out, ObjectNode others) {
    for (Map.Entry<String, JsonNode> field : others.properties()) {
      if (out.get(field.getKey()) instanceof ArrayNode types && field.getKey().equals(TYPE)) {
        field.getValue().forEach(types::add);
      } else if (!NESTED.containsKey(field.getKey())) {
        out.putIfAbsent(field.getKey(), field.getValue());
      } else if (out.get(field.getKey()) instanceof ObjectNode known) {
        addTo(known, field.getValue());
      }
    }
    return out;
  }

  private static void addTo(ObjectNode known, JsonNode more) {
    more.properties().forEach(inside -> known.putIfAbsent(inside.getKey(), inside.getValue()));
  }

  /** Returns the unknown keys about the index, for the document that the index moves to. */
  static ObjectNode ofIndex(ObjectNode others) {
    ObjectNode ofIndex = DocumentJson.object();
    for (String key : Set.of(LEDGER_INDEX, SOURCE_INDEX)) {
      if (others.has(key)) {
        ofIndex.set(key, others.get(key));
      }
    }
    return ofIndex;
  }

  /** Returns the unknown keys without those about the index. */
  static ObjectNode withoutIndex(ObjectNode others) {
    return others.deepCopy().without(Set.of(LEDGER_INDEX, SOURCE_INDEX));
  }
}
