// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;

/** Rows, and what became of them. */
public final class RowJson {

  private RowJson() {}

  /** A row's type and by what it is told from others. */
  public static ObjectNode identity(TypeId type, Identity identity) {
    ObjectNode json = TypeJson.name(type);
    if (identity instanceof Identity.RelationKey key) {
      json.put("left_key", key.left()).put("right_key", key.right());
      return key.instance().isEmpty() ? json : json.put("instance_key", key.instance());
    }
    return json.put("key", identity.toString());
  }

  /** JSON that is stored, and so is known to be JSON. */
  public static JsonNode parsed(String json) {
    try {
      return CanonicalJson.parse(json);
    } catch (IOException e) {
      throw new IllegalStateException("what is stored was checked", e);
    }
  }
}
