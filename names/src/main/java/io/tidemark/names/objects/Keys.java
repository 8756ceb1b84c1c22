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

  /** Keys that are written anew each time, or left out because they no longer hold. */
  private static final Set<String> KNOWN =
      Set.of(
          "@context",
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
          "tm:rev",
          "tm:seal",
          "tm:announced");

  private Keys() {}

  /** The first keys of a document that replaces another. */
  static ObjectNode start(Address address, ObjectNode before) {
    ObjectNode out = Json.object();
    ObjectNode context = out.putObject("@context").put("f", NAMESPACE);
    if (before.path("@context") instanceof ObjectNode others) {
      others.properties().forEach(e -> context.putIfAbsent(e.getKey(), e.getValue().deepCopy()));
    }
    return out.put("@id", address.toString());
  }

  /** Adds what the document before held beyond what is known here. */
  static ObjectNode finish(ObjectNode out, ObjectNode before) {
    for (Map.Entry<String, JsonNode> field : before.properties()) {
      if (!KNOWN.contains(field.getKey()) && !out.has(field.getKey())) {
        out.set(field.getKey(), field.getValue());
      }
    }
    return out;
  }
}
