// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.UnsupportedStoreException;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/** Recognition of documents in older forms, and the room that reads them, if it is there. */
final class LegacyDocuments {

  private static final String LEDGER_IRI = "https://ns.flur.ee/ledger#";
  private static final Set<String> OLD_KEYS =
      Set.of("f:commit", "f:index", "f:indexT", "f:indexId");

  /** Loaded when the first such document is met. */
  private static final class FormsHolder {
    static final Optional<LegacyForms> FORMS =
        ServiceLoader.load(LegacyForms.class, LegacyForms.class.getClassLoader()).findFirst();
  }

  private LegacyDocuments() {}

  /**
   * Returns a copy of a document in today's keys.
   *
   * @throws UnsupportedStoreException when it is in an older form and nothing here reads those
   */
  static ObjectNode toCurrentKeys(String key, ObjectNode json) {
    return isOld(json) ? forms(key + " is in an older form").convert(key, json) : json.deepCopy();
  }

  /** Returns the name of the form of a document that wasn't written by this program. */
  static Optional<String> formOf(ObjectNode json) {
    return FormsHolder.FORMS.flatMap(forms -> forms.formOf(json));
  }

  /**
   * Returns what reads older forms.
   *
   * @param need why they have to be read
   * @throws UnsupportedStoreException when nothing here does
   */
  static LegacyForms forms(String need) {
    return FormsHolder.FORMS.orElseThrow(
        () ->
            new UnsupportedStoreException(
                need + ", which needs tidemark-names-legacy on the class path; add it"));
  }

  /**
   * Documents of this program have a count of their writes or a time; older documents have other
   * keys.
   */
  private static boolean isOld(ObjectNode json) {
    if (json.has("tm:rev") || json.has("tm:updatedAtMs")) {
      return false;
    }
    boolean plain = json.has("pk") && json.has("v") && !json.has("@id");
    return plain
        || json.path("@context").path("f").asText().equals(LEDGER_IRI)
        || json.properties().stream().map(Map.Entry::getKey).anyMatch(LegacyDocuments::isOldKey);
  }

  private static boolean isOldKey(String key) {
    return key.startsWith("db:") || key.startsWith("fidx:") || OLD_KEYS.contains(key);
  }
}
