// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Documents that a commit carries for other components, such as events to be sent about it. They
 * exist exactly if the commit does. Their meaning is opaque here, except that each has an {@code
 * id} of its own. They are in the manifest, under {@code outbox}.
 *
 * <p>Manifests are kept in memory by the thousand, their documents aren't. A manifest has the
 * number of its documents, and a reader loads them when it needs them.
 *
 * @param documents in the order in which they were given
 */
public record Outbox(List<ObjectNode> documents) {

  private static final String ID = "id";
  private static final Outbox NONE = new Outbox(List.of());

  /**
   * Takes documents, with numbers in the form that they have when they are read again: otherwise
   * the checksum of the manifest would differ by then.
   *
   * @throws InvalidValueException when one has no id, the id of another, or isn't JSON
   */
  public Outbox {
    Set<String> ids = new HashSet<>();
    List<ObjectNode> taken = new ArrayList<>();
    for (ObjectNode document : documents) {
      JsonNode id = document.path(ID);
      if (!id.isTextual() || id.textValue().isBlank()) {
        throw new InvalidValueException(
            "a document for the outbox has "
                + (id.isMissingNode() ? "no id" : "the id " + id)
                + "; give each one a text that tells it from all others");
      }
      if (!ids.add(id.textValue())) {
        throw new InvalidValueException(
            "two documents for the outbox have the id " + id + "; give each one of its own");
      }
      taken.add(stored(document));
    }
    documents = List.copyOf(taken);
  }

  public static Outbox none() {
    return NONE;
  }

  public static Outbox of(Collection<ObjectNode> documents) {
    return documents.isEmpty() ? NONE : new Outbox(List.copyOf(documents));
  }

  private static ObjectNode stored(ObjectNode document) {
    try {
      // As deep in another as it is in the manifest, which has to be readable afterwards.
      String text = "[[" + CanonicalJson.write(document) + "]]";
      return (ObjectNode) CanonicalJson.parse(text).get(0).get(0);
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidValueException(
          "the document "
              + document.path(ID)
              + " for the outbox can't be stored as JSON: "
              + e.getMessage());
    }
  }

  public boolean isEmpty() {
    return documents.isEmpty();
  }

  public int size() {
    return documents.size();
  }

  /** Returns the length of the documents as they are stored. */
  public long bytes() {
    return documents.stream()
        .mapToLong(document -> CanonicalJson.write(document).getBytes(UTF_8).length)
        .sum();
  }
}
