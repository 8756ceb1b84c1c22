// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.GeoJson;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Projection of a feature to some of its fields. Properties of which no field is selected aren't
 * even sent: the server sends each selected one by itself. For the server, building an object, or
 * removing members from one, takes longer than sending all of it. Absent values, nulls and lists
 * are told apart here.
 */
public final class FieldSelection {

  private static final List<FeatureField> ALWAYS =
      List.of(
          FeatureField.ID,
          new FeatureField(List.of("type")),
          FeatureField.property(FeatureField.NAMESPACE));

  /**
   * Maximum number of properties that are sent one by one: for each, the server reads the whole
   * feature.
   */
  private static final int MOST_PARTS = 8;

  private FieldSelection() {}

  /**
   * Returns a list of texts: {@code h} without its properties, and each property that is wanted.
   */
  static SqlFragment sql(List<FeatureField> fields) {
    List<String> names = names(fields);
    if (names.isEmpty()) {
      return SqlFragment.of("ARRAY[h.jsondata::text] AS jsondata");
    }
    return SqlFragment.of(
        "ARRAY[(h.jsondata - 'properties'::text)::text"
            + ", (h.jsondata->'properties'->?::text)::text".repeat(names.size())
            + "] AS jsondata",
        names.toArray());
  }

  /** Returns the properties of which something is wanted; none when all of them are to be sent. */
  private static List<String> names(List<FeatureField> fields) {
    Set<String> names = new TreeSet<>(Set.of(FeatureField.NAMESPACE));
    for (FeatureField featureField : fields) {
      if (featureField.path().equals(List.of("properties"))) {
        return List.of();
      }
      if (featureField.path().get(0).equals("properties")) {
        names.add(featureField.path().get(1));
      }
    }
    return names.size() > MOST_PARTS ? List.of() : List.copyOf(names);
  }

  /**
   * Returns the feature with only its id, its type, its namespace and the given fields.
   *
   * @param parts the parts that the server has sent; null for each that the feature lacks
   */
  public static ObjectNode of(@Nullable String[] parts, List<FeatureField> fields) {
    ObjectNode feature = GeoJson.object(String.valueOf(parts[0]));
    List<String> names = names(fields);
    if (!names.isEmpty()) {
      ObjectNode properties = feature.putObject("properties");
      for (int i = 0; i < names.size(); i++) {
        String value = parts[i + 1];
        if (value != null) {
          properties.set(names.get(i), GeoJson.object("{\"value\":" + value + "}").get("value"));
        }
      }
    }
    return of(feature, fields);
  }

  private static ObjectNode of(ObjectNode feature, List<FeatureField> fields) {
    ObjectNode kept = feature.objectNode();
    ALWAYS.forEach(featureField -> copy(feature, kept, featureField.path()));
    fields.forEach(featureField -> copy(feature, kept, featureField.path()));
    if (!kept.has("properties")) {
      kept.putObject("properties");
    }
    return kept;
  }

  /**
   * Copies the value at a path; of a list all of it, since an element alone would be another list.
   */
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
