// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Keeps some fields of a feature. */
public final class Selection {

  private static final List<Field> ALWAYS =
      List.of(Field.ID, new Field(List.of("type")), Field.property(Field.NAMESPACE));

  private Selection() {}

  /** The feature with only its id, its type, its namespace and the fields given. */
  public static ObjectNode of(ObjectNode feature, List<Field> fields) {
    ObjectNode kept = feature.objectNode();
    kept.putObject("properties");
    ALWAYS.forEach(field -> copy(feature, kept, field.path()));
    fields.forEach(field -> copy(feature, kept, field.path()));
    return kept;
  }

  /** Copies what is there; of a list all of it, since an element alone would be another list. */
  private static void copy(ObjectNode from, ObjectNode to, List<String> path) {
    JsonNode value = from.get(path.get(0));
    if (value == null) {
      return;
    }
    if (path.size() == 1 || !(value instanceof ObjectNode deeper)) {
      if (path.size() == 1 || value.isArray()) {
        to.set(path.get(0), value);
      }
      return;
    }
    ObjectNode there =
        to.get(path.get(0)) instanceof ObjectNode object ? object : to.putObject(path.get(0));
    copy(deeper, there, path.subList(1, path.size()));
  }
}
