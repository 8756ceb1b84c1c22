// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A number for each type, as manifests carry it: {@code {"entity":{"Customer":3},"relation":{}}}.
 */
final class PerType {

  private PerType() {}

  static ObjectNode json(Map<TypeId, Long> numbers) {
    ObjectNode json = CanonicalJson.object();
    for (Kind kind : Kind.values()) {
      json.putObject(kind.singular());
    }
    numbers.forEach(
        (type, number) ->
            ((ObjectNode) json.path(type.kind().singular())).put(type.name(), number));
    return json;
  }

  static SortedMap<TypeId, Long> parse(JsonNode json) {
    SortedMap<TypeId, Long> numbers = new TreeMap<>();
    for (Kind kind : Kind.values()) {
      json.path(kind.singular())
          .properties()
          .forEach(each -> numbers.put(new TypeId(kind, each.getKey()), each.getValue().asLong()));
    }
    return Collections.unmodifiableSortedMap(numbers);
  }
}
