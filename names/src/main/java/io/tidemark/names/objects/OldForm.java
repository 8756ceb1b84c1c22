// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import java.util.Map;
import java.util.Optional;

/** The forms that {@link Migration} converts, with the words that its report has for them. */
enum OldForm {
  /** {@code <ledger>.json} in the root of the store, from before there was a nameservice. */
  ROOT_FILE("root file"),
  /** {@code ns@v1/{name}@{branch}.json}. */
  V1_FLAT("v1 flat"),
  /** {@code ns@v1/{name}/{branch}.json}. */
  V1_NESTED("v1 nested"),
  /** A branch with a slash, which lies as if it were part of the name; see {@link SlashBranch}. */
  SLASH_BRANCH("v2 slash branch"),
  /** Plain keys: {@code pk}, {@code head_v}, {@code head} and so on. */
  PLAIN("v2 plain keys"),
  /** {@code db:} where {@code f:} is today. */
  DB_PREFIX("v2 db:"),
  /** {@code f:commit} and {@code f:index}, in the namespace {@code ledger#}; {@code fidx:}. */
  LEDGER_NAMESPACE("v2 ledger#"),
  /** Pointers as {@code @id} of an object, some with an id of today beside it. */
  POINTERS("v2 pointers"),
  /** Today's keys, as other programs write them. */
  BARE("v2 bare"),
  /** Today's form, but the index is in the main document though it has a place of its own. */
  INDEX_INSIDE("v2 index inside");

  private static final String LEDGER_IRI = "https://ns.flur.ee/ledger#";

  private final String word;

  OldForm(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /** Empty when it is as it would be written today. Every main document from here has a count. */
  static Optional<OldForm> of(MainDocument main) {
    ObjectNode json = main.document().json().orElseThrow();
    boolean apart = main.layout().apart().contains(Concern.INDEX);
    if (!json.has("tm:rev")) {
      return Optional.of(of(json));
    }
    return apart && main.holdsIndex() ? Optional.of(INDEX_INSIDE) : Optional.empty();
  }

  /** The same of a document beside it, of which every one from here has a time. */
  static Optional<OldForm> ofSide(ObjectNode json) {
    return json.has("tm:updatedAtMs") ? Optional.empty() : Optional.of(of(json));
  }

  private static OldForm of(ObjectNode json) {
    if (PlainShape.recognises(json)) {
      return PLAIN;
    }
    if (hasKeyWith(json, "db:")) {
      return DB_PREFIX;
    }
    boolean ledger = json.path("@context").path("f").asText().equals(LEDGER_IRI);
    if (ledger || hasKeyWith(json, "fidx:") || json.has("f:commit") || json.has("f:index")) {
      return LEDGER_NAMESPACE;
    }
    boolean pointers =
        json.has("f:ledgerCommit")
            || json.path("f:ledgerIndex").has("@id")
            || json.path("f:graphSourceIndex").has("@value")
            || json.has("f:indexId");
    return pointers ? POINTERS : BARE;
  }

  private static boolean hasKeyWith(ObjectNode json, String prefix) {
    return json.properties().stream().map(Map.Entry::getKey).anyMatch(k -> k.startsWith(prefix));
  }
}
