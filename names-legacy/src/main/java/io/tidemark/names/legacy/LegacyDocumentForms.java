// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.objects.DocumentJson;
import io.tidemark.names.objects.LegacyForms;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Documents as earlier programs wrote them, turned into today's keys. */
public final class LegacyDocumentForms implements LegacyForms {

  private static final String LEDGER_IRI = "https://ns.flur.ee/ledger#";

  /** Keys that were only renamed. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "f:index", "f:ledgerIndex",
          "fidx:config", "f:graphSourceConfig",
          "fidx:dependencies", "f:graphSourceDependencies",
          "fidx:index", "f:graphSourceIndex",
          "fidx:indexT", "f:graphSourceIndexT",
          "f:indexT", "f:graphSourceIndexT",
          "f:indexId", "f:graphSourceIndex");

  @Override
  public Optional<String> formOf(ObjectNode json) {
    if (LegacyPlainKeys.recognises(json)) {
      return Optional.of("v2 plain keys");
    }
    if (hasKeyWith(json, "db:")) {
      return Optional.of("v2 db:");
    }
    boolean ledger = json.path("@context").path("f").asText().equals(LEDGER_IRI);
    if (ledger || hasKeyWith(json, "fidx:") || json.has("f:commit") || json.has("f:index")) {
      return Optional.of("v2 ledger#");
    }
    boolean pointers =
        json.has("f:ledgerCommit")
            || json.path("f:ledgerIndex").has("@id")
            || json.path("f:graphSourceIndex").has("@value")
            || json.has("f:indexId");
    return pointers ? Optional.of("v2 pointers") : Optional.empty();
  }

  private static boolean hasKeyWith(ObjectNode json, String prefix) {
    return json.properties().stream().map(Map.Entry::getKey).anyMatch(k -> k.startsWith(prefix));
  }

  @Override
  public ObjectNode convert(String key, ObjectNode json) {
    ObjectNode node =
        LegacyPlainKeys.recognises(json) ? LegacyPlainKeys.convert(key, json) : prefixed(json);
    RENAMED.forEach((old, now) -> rename(node, old, now));
    return node;
  }

  /** {@code db:t} was for some days what {@code f:t} is. */
  private static ObjectNode prefixed(ObjectNode found) {
    ObjectNode node = DocumentJson.object();
    found
        .properties()
        .forEach(
            field -> {
              boolean old = field.getKey().startsWith("db:");
              JsonNode value = field.getValue();
              node.set(
                  old ? "f:" + field.getKey().substring(3) : field.getKey(),
                  old && value instanceof ObjectNode nested ? prefixed(nested) : value.deepCopy());
            });
    return node;
  }

  private static void rename(ObjectNode node, String old, String now) {
    JsonNode value = node.remove(old);
    if (value != null && !node.has(now)) {
      node.set(now, value);
    }
  }

  @Override
  public List<Location> locations() {
    return List.of(new LegacyV1Location(), new LegacyRootFile());
  }
}
