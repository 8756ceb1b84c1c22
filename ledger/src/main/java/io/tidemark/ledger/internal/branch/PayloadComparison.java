// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.internal.json.NormalizedJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Comparison of payloads by value and field by field. */
public final class PayloadComparison {

  private PayloadComparison() {}

  /**
   * Field that differs in two rows.
   *
   * @param before empty when it is missing
   * @param after empty when it is missing
   */
  public record FieldChange(String field, Optional<JsonNode> before, Optional<JsonNode> after) {}

  /** Returns the fields in which two payloads differ by value, in order. */
  public static List<FieldChange> changes(ObjectNode before, ObjectNode after) {
    List<FieldChange> changed = new ArrayList<>();
    for (String field : names(List.of(before, after))) {
      if (!equalByValue(before.get(field), after.get(field))) {
        changed.add(
            new FieldChange(
                field,
                Optional.ofNullable(before.get(field)),
                Optional.ofNullable(after.get(field))));
      }
    }
    return changed;
  }

  /** Returns the names of all fields that any of them has. */
  static NavigableSet<String> names(List<ObjectNode> payloads) {
    NavigableSet<String> names = new TreeSet<>(CanonicalJson.ORDER);
    payloads.forEach(payload -> payload.fieldNames().forEachRemaining(names::add));
    return names;
  }

  static boolean equalByValue(Row one, Row other) {
    return one.fieldsJson().equals(other.fieldsJson())
        || form(one.fieldsJson()).equals(form(other.fieldsJson()));
  }

  /** Returns whether two values are equal; null for a missing one. */
  static boolean equalByValue(@Nullable JsonNode one, @Nullable JsonNode other) {
    if (one == null || other == null) {
      return one == null && other == null;
    }
    return one.equals(other)
        || form(CanonicalJson.write(one)).equals(form(CanonicalJson.write(other)));
  }

  public static ObjectNode of(Row row) {
    try {
      if (CanonicalJson.parse(row.fieldsJson()) instanceof ObjectNode object) {
        return object;
      }
      throw corrupt(row.fieldsJson(), "is no object");
    } catch (IOException e) {
      throw corrupt(row.fieldsJson(), "is no JSON: " + e.getMessage());
    }
  }

  private static String form(String json) {
    try {
      return NormalizedJson.of(json);
    } catch (IOException e) {
      throw corrupt(json, "is no JSON: " + e.getMessage());
    }
  }

  private static CorruptLedgerException corrupt(String json, String why) {
    return new CorruptLedgerException(
        "the payload " + json + " " + why + "; restore it from a copy");
  }
}
