// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import java.util.Optional;

/** Names of the forms that a document isn't written in today, as a migration reports them. */
final class DocumentForm {

  /** A branch with a slash, which lies as if it were part of the name; see {@link SlashBranch}. */
  static final String SLASH_BRANCH = "v2 slash branch";

  /** Today's keys, as other programs write them. */
  static final String BARE = "v2 bare";

  /** Today's form, but the index is in the main document though it has a place of its own. */
  static final String INDEX_INSIDE = "v2 index inside";

  private DocumentForm() {}

  /** Empty when it is as it would be written today. Every main document from here has a count. */
  static Optional<String> of(MainDocument main) {
    ObjectNode json = main.document().json().orElseThrow();
    boolean apart = main.layout().apart().contains(Concern.INDEX);
    if (!json.has("tm:rev")) {
      return Optional.of(LegacyDocuments.formOf(json).orElse(BARE));
    }
    return apart && main.holdsIndex() ? Optional.of(INDEX_INSIDE) : Optional.empty();
  }

  /** Returns the form of a document beside it; those from here have a time. */
  static Optional<String> ofSide(ObjectNode json) {
    return isFromOtherProgram(json)
        ? Optional.of(LegacyDocuments.formOf(json).orElse(BARE))
        : Optional.empty();
  }

  /** Returns whether another program wrote a document beside the main one. */
  static boolean isFromOtherProgram(ObjectNode json) {
    return !json.has("tm:updatedAtMs");
  }
}
