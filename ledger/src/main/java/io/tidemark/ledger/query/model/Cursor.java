// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Position of the last row of a page, behind which the next one begins. It carries the commit of
 * the first page, so that all pages together are the state of one moment.
 *
 * @param headId the newest commit when the first page was read
 * @param commitId the commit that wrote the row
 * @param values the values of the row that it is ordered by
 */
public record Cursor(long headId, long commitId, Identity identity, List<JsonNode> values) {

  public Cursor {
    values = List.copyOf(values);
  }

  /** Returns the cursor as a text without spaces, to be sent with the request for the next page. */
  public String encoded() {
    ObjectNode json = CanonicalJson.object().put("head", headId).put("commit", commitId);
    ArrayNode key = json.putArray("key");
    if (identity instanceof RelationKey relation) {
      key.add(relation.left()).add(relation.right()).add(relation.instance());
    } else {
      key.add(identity.toString());
    }
    ArrayNode list = json.putArray("values");
    values.forEach(list::add);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(CanonicalJson.write(json).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Decodes the text of a cursor.
   *
   * @throws InvalidQueryException when it isn't a cursor
   */
  public static Cursor decode(String text) {
    try {
      JsonNode json = CanonicalJson.parse(Base64.getUrlDecoder().decode(text));
      JsonNode key = json.path("key");
      boolean sound =
          json.path("head").canConvertToLong()
              && json.path("commit").canConvertToLong()
              && (key.size() == 1 || key.size() == 3)
              && json.path("values").isArray();
      if (sound) {
        Identity identity =
            key.size() == 1
                ? new EntityKey(key.get(0).asText())
                : new RelationKey(key.get(0).asText(), key.get(1).asText(), key.get(2).asText());
        List<JsonNode> values = new ArrayList<>();
        json.path("values").forEach(values::add);
        return new Cursor(
            json.path("head").asLong(), json.path("commit").asLong(), identity, values);
      }
    } catch (IOException | IllegalArgumentException e) {
      // Reported below.
    }
    throw new InvalidQueryException(
        "\"" + text + "\" is no cursor; give what a page of the same query named as its next");
  }
}
