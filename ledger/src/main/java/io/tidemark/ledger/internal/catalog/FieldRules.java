// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Rules on single fields that make up upgraders, for callers without a program to write them in. Of
 * each payload fields are renamed first, then removed, then set.
 *
 * <p>A type needs no rule when every payload of it fits unchanged: when nullable fields are added,
 * or a field takes more values than before.
 */
public record FieldRules(List<Rename> renames, List<Remove> removals, List<Assign> assignments) {

  /** Rule that renames a field. */
  public record Rename(TypeId type, String from, String to) {}

  /** Rule that removes a field. */
  public record Remove(TypeId type, String field) {}

  /** Rule that sets a field to the same value in every row. */
  public record Assign(TypeId type, String field, JsonNode value) {
    public Assign {
      value = value.deepCopy();
    }
  }

  public FieldRules {
    renames = List.copyOf(renames);
    removals = List.copyOf(removals);
    assignments = List.copyOf(assignments);
  }

  /** Returns the upgraders from the stored versions to the declared types. */
  public Upgraders upgraders(Map<TypeId, SchemaVersion> stored, Collection<TypeSchema> declared) {
    Upgraders upgraders = Upgraders.none();
    for (TypeSchema schema : declared) {
      TypeId type = schema.id();
      SchemaVersion version = stored.get(type);
      if (version == null) {
        continue;
      }
      TypeSchema before = StoredSchema.parse(version.schemaJson()).schema();
      if (concerns(type) || fitsAsItIs(before, schema)) {
        for (long older = 1; older < version.id(); older++) {
          upgraders = upgraders.with(type, older, UnaryOperator.identity());
        }
        upgraders = upgraders.with(type, version.id(), fields -> apply(type, fields));
        for (Map.Entry<String, String> renamed : renamed(type).entrySet()) {
          upgraders = upgraders.renaming(type, version.id(), renamed.getValue(), renamed.getKey());
        }
      }
    }
    return upgraders;
  }

  /**
   * Returns the new names with the stored ones; a field may be renamed by several rules in turn.
   */
  private Map<String, String> renamed(TypeId type) {
    Map<String, String> stored = new TreeMap<>();
    for (Rename rule : renames) {
      if (rule.type().equals(type)) {
        String from = Optional.ofNullable(stored.remove(rule.from())).orElse(rule.from());
        stored.values().remove(from);
        stored.put(rule.to(), from);
      }
    }
    stored.entrySet().removeIf(each -> each.getKey().equals(each.getValue()));
    return stored;
  }

  private boolean concerns(TypeId type) {
    return renames.stream().anyMatch(rule -> rule.type().equals(type))
        || removals.stream().anyMatch(rule -> rule.type().equals(type))
        || assignments.stream().anyMatch(rule -> rule.type().equals(type));
  }

  private static boolean fitsAsItIs(TypeSchema before, TypeSchema after) {
    boolean known =
        before.payload().entrySet().stream()
            .allMatch(field -> takes(after.payload().get(field.getKey()), field.getValue()));
    boolean optional =
        after.payload().entrySet().stream()
            .filter(field -> !before.payload().containsKey(field.getKey()))
            .allMatch(field -> field.getValue().type() instanceof FieldType.Nullable);
    return known && optional;
  }

  /** Returns whether all values of one field are values of another. */
  private static boolean takes(@Nullable Field wider, Field narrower) {
    if (wider == null) {
      return false;
    }
    FieldType from = narrower.type();
    FieldType to = wider.type();
    boolean nullFits = to instanceof FieldType.Nullable || !(from instanceof FieldType.Nullable);
    return to.equals(from)
        || (nullFits && to.notNull().equals(from.notNull()))
        || (nullFits && from.notNull() == Scalar.LONG && to.notNull() == Scalar.DECIMAL);
  }

  private ObjectNode apply(TypeId type, ObjectNode fields) {
    for (Rename rule : renames) {
      if (rule.type().equals(type) && fields.has(rule.from())) {
        fields.set(rule.to(), fields.remove(rule.from()));
      }
    }
    removals.stream()
        .filter(rule -> rule.type().equals(type))
        .forEach(rule -> fields.remove(rule.field()));
    assignments.stream()
        .filter(rule -> rule.type().equals(type))
        .forEach(rule -> fields.set(rule.field(), rule.value().deepCopy()));
    return fields;
  }
}
