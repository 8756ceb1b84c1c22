// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Keeps some fields of a feature. */
public final class Selection {

  private static final List<Field> ALWAYS =
      List.of(Field.ID, new Field(List.of("type")), Field.property(Field.NAMESPACE));

  private Selection() {}

  /**
   * What is to be read of {@code h}: without properties of which nothing is selected, so that they
   * needn't be sent. The rest is for {@link #of}, since what is absent and what is in a list is
   * easier told there.
   */
  static SqlText sql(List<Field> fields) {
    Set<String> names = new TreeSet<>(Set.of(Field.NAMESPACE));
    for (Field field : fields) {
      if (field.path().equals(List.of("properties"))) {
        return SqlText.of("h.jsondata");
      }
      if (field.path().get(0).equals("properties")) {
        names.add(field.path().get(1));
      }
    }
    return SqlText.of(
        "CASE WHEN jsonb_typeof(h.jsondata->'properties') = 'object' THEN"
            + " jsonb_set(h.jsondata, '{properties}', (SELECT coalesce(jsonb_object_agg(p.key,"
            + " p.value), '{}') FROM jsonb_each(h.jsondata->'properties') AS p"
            + " WHERE p.key = ANY (?::text[]))) ELSE h.jsondata END AS jsondata",
        List.copyOf(names));
  }

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
