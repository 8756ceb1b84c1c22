// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/**
 * Context by which a document abbreviates IRIs: as much of a JSON-LD context as such documents use.
 * Contexts that lie elsewhere aren't fetched.
 *
 * @param plain what a name without a colon is short for
 * @param terms prefixes and names with a meaning of their own
 */
record JsonLdContext(String plain, Map<String, String> terms) {

  /** Vocabulary that the names of this kind of document belong to. */
  static final String SYSTEM = "https://ns.flur.ee/system#";

  static JsonLdContext read(JsonNode context) {
    Map<String, String> terms = new HashMap<>();
    collect(context, terms);
    String plain = terms.remove("@vocab");
    return new JsonLdContext(plain == null ? SYSTEM : plain, terms);
  }

  private static void collect(JsonNode context, Map<String, String> terms) {
    if (context.isArray()) {
      context.forEach(each -> collect(each, terms));
    }
    for (Map.Entry<String, JsonNode> entry : context.properties()) {
      JsonNode value = entry.getValue();
      JsonNode iri = value.isObject() ? value.path("@id") : value;
      if (iri.isTextual()) {
        terms.put(entry.getKey(), iri.textValue());
      }
    }
  }

  /** Returns a key or a type: its name in the vocabulary, or its IRI if it belongs to another. */
  String name(String spelled) {
    if (spelled.startsWith("@")) {
      return spelled;
    }
    String iri = terms.getOrDefault(spelled, spelled);
    String full = iri.contains(":") ? id(iri) : plain + iri;
    return full.startsWith(SYSTEM) ? full.substring(SYSTEM.length()) : full;
  }

  /** Returns the id of a node, which only a prefix can abbreviate. */
  String id(String spelled) {
    int colon = spelled.indexOf(':');
    String prefix = colon < 0 ? null : terms.get(spelled.substring(0, colon));
    return prefix == null ? spelled : prefix + spelled.substring(colon + 1);
  }
}
