// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import java.util.Map;
import java.util.Set;

/** What all documents begin with, and keeping what they hold that isn't known here. */
final class Keys {

  /** The namespace of the keys that start with {@code f:}. */
  static final String NAMESPACE = "https://ns.flur.ee/db#";

  private static final String CONTEXT = "@context";

  /** Keys that are written anew each time, or left out because they no longer hold. */
  private static final Set<String> KNOWN =
      Set.of(
          CONTEXT,
          "@id",
          "@type",
          "f:ledger",
          "f:name",
          "f:branch",
          "f:commitCid",
          "f:ledgerCommit",
          "f:t",
          "f:ledgerIndex",
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
          "f:graphSourceIndex",
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

  private Keys() {}

  /** The first keys of a document, with the words that others have added to its context. */
  static ObjectNode start(Address address, ObjectNode others) {
    ObjectNode out = Json.object();
    ObjectNode context = out.putObject(CONTEXT).put("f", NAMESPACE);
    if (others.path(CONTEXT) instanceof ObjectNode words) {
      words.properties().forEach(word -> context.putIfAbsent(word.getKey(), word.getValue()));
    }
    return out.put("@id", address.toString());
  }

  /** What a document holds beyond what is known here, to be given to the one that follows it. */
  static ObjectNode others(ObjectNode node) {
    ObjectNode others = Json.object();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getKey().equals(CONTEXT) || !KNOWN.contains(field.getKey())) {
        others.set(field.getKey(), field.getValue());
      }
    }
    return others;
  }

  /** Adds what isn't known here. */
  static ObjectNode finish(ObjectNode out, ObjectNode others) {
    others.properties().forEach(field -> out.putIfAbsent(field.getKey(), field.getValue()));
    return out;
  }
}
