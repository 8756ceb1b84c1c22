// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Difference of a declared type from the stored one.
 *
 * @param storedVersion 0 when the type isn't stored any more
 * @param added the fields that only the declared one has, sorted
 * @param removed the fields that only the stored one has, sorted
 * @param changed the fields that differ between the two; a change outside of the fields has a name
 *     that begins with two underscores
 */
public record SchemaDiff(
    TypeId type,
    long storedVersion,
    List<String> added,
    List<String> removed,
    SortedMap<String, FieldChange> changed) {

  /** Name of a change of the instance key field. */
  public static final String INSTANCE_KEY_FIELD = "__instance_key_field__";

  /** Name of a change of the left end. */
  public static final String LEFT_TYPE = "__left_type__";

  /** Name of a change of the right end. */
  public static final String RIGHT_TYPE = "__right_type__";

  /** Part of a type before and after, as text. */
  public record FieldChange(String stored, String declared) {}

  public SchemaDiff {
    added = added.stream().sorted().toList();
    removed = removed.stream().sorted().toList();
    changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
  }

  /** Compares the meaning of two schemas of one type; the form they are stored in doesn't count. */
  public static SchemaDiff between(TypeSchema stored, long storedVersion, TypeSchema declared) {
    if (!stored.id().equals(declared.id())) {
      throw new IllegalArgumentException(stored.id() + " and " + declared.id() + " are two types");
    }
    SortedMap<String, FieldChange> changed = new TreeMap<>();
    for (Map.Entry<String, Field> entry : stored.fields().entrySet()) {
      String name = entry.getKey();
      Field field = declared.fields().get(name);
      if (field != null) {
        note(changed, name, words(stored, name, entry.getValue()), words(declared, name, field));
      }
    }
    if (stored.identity() instanceof Endpoints from
        && declared.identity() instanceof Endpoints to) {
      note(changed, LEFT_TYPE, from.leftType(), to.leftType());
      note(changed, RIGHT_TYPE, from.rightType(), to.rightType());
      String none = "none";
      note(
          changed,
          INSTANCE_KEY_FIELD,
          from.instanceKeyField().orElse(none),
          to.instanceKeyField().orElse(none));
    }
    return new SchemaDiff(
        stored.id(), storedVersion, missing(declared, stored), missing(stored, declared), changed);
  }

  /** Returns the difference of a type that was dropped after it was declared. */
  public static SchemaDiff dropped(TypeId type) {
    return new SchemaDiff(type, 0, List.of(), List.of(), new TreeMap<>());
  }

  /** Returns whether the two schemas have the same meaning. */
  public boolean isEmpty() {
    return storedVersion > 0 && added.isEmpty() && removed.isEmpty() && changed.isEmpty();
  }

  /** Returns text such as {@code entity:User v1: added email; changed age from string to long}. */
  @Override
  public String toString() {
    if (storedVersion == 0) {
      return type + " isn't stored";
    }
    StringBuilder out = new StringBuilder(type + " v" + storedVersion + ":");
    if (isEmpty()) {
      return out.append(" no change").toString();
    }
    String separator = " ";
    if (!added.isEmpty()) {
      out.append(separator).append("added ").append(String.join(", ", added));
      separator = "; ";
    }
    if (!removed.isEmpty()) {
      out.append(separator).append("removed ").append(String.join(", ", removed));
      separator = "; ";
    }
    for (Map.Entry<String, FieldChange> change : changed.entrySet()) {
      out.append(separator).append("changed ").append(change.getKey()).append(" from ");
      out.append(change.getValue().stored()).append(" to ").append(change.getValue().declared());
      separator = "; ";
    }
    return out.toString();
  }

  private static void note(
      SortedMap<String, FieldChange> changed, String name, String stored, String declared) {
    if (!stored.equals(declared)) {
      changed.put(name, new FieldChange(stored, declared));
    }
  }

  private static List<String> missing(TypeSchema here, TypeSchema there) {
    return here.fields().keySet().stream()
        .filter(name -> !there.fields().containsKey(name))
        .toList();
  }

  /** Returns everything significant about a field as text, so that equal fields have equal text. */
  private static String words(TypeSchema schema, String name, Field field) {
    String words = TypeFormatter.format(field.type());
    if (field.type() instanceof Foreign foreign && !foreign.equals(Foreign.any())) {
      words += " " + CanonicalJson.write(foreign.spec());
    }
    boolean key = schema.identity() instanceof KeyField rule && rule.name().equals(name);
    return words + (key ? ", key" : "") + (field.index() ? ", indexed" : "");
  }
}
