// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.ledger.schema.FieldType.Scalar;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Schema of a type: its identity rule and its fields.
 *
 * <p>An entity has exactly one key field. A relation has two endpoints, and may have one instance
 * key field, which tells several relations of the same two ends apart; that field is a part of the
 * identity and not of the payload.
 *
 * @param fields every field by its name, key and instance key included
 * @param identity the rule that identifies rows
 */
public record TypeSchema(TypeId id, SortedMap<String, Field> fields, IdentityRule identity) {

  private static final Pattern FIELD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
  private static final Set<FieldType> KEYS = Set.of(Scalar.STRING, Scalar.LONG);

  /** Rule that identifies the rows of a type. */
  public sealed interface IdentityRule {
    /** Rule of an entity: the value of one field. */
    record KeyField(String name) implements IdentityRule {}

    /** Rule of a relation: the entities it relates, and the value of a field if it has one. */
    record Endpoints(String leftType, String rightType, Optional<String> instanceKeyField)
        implements IdentityRule {}
  }

  public TypeSchema {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    for (String name : fields.keySet()) {
      if (!FIELD.matcher(name).matches()) {
        throw new InvalidSchemaException(
            id
                + " has a field \""
                + name
                + "\"; take letters A to Z, digits and '_', no digit first");
      }
    }
    if (identity instanceof IdentityRule.KeyField key) {
      requireKind(id, TypeKind.ENTITY);
      requireField(id, fields, key.name(), KEYS, "the key");
    } else if (identity instanceof IdentityRule.Endpoints ends) {
      requireKind(id, TypeKind.RELATION);
      TypeId.entity(ends.leftType());
      TypeId.entity(ends.rightType());
      if (ends.instanceKeyField().isPresent()) {
        String name = ends.instanceKeyField().get();
        requireField(id, fields, name, Set.of(Scalar.STRING), "the instance key");
      }
    }
  }

  private static void requireKind(TypeId id, TypeKind typeKind) {
    if (id.kind() != typeKind) {
      throw new InvalidSchemaException(
          id
              + " is declared with the identity of "
              + typeKind.plural()
              + "; an entity has one key field,"
              + " a relation two endpoints");
    }
  }

  private static void requireField(
      TypeId id,
      SortedMap<String, Field> fields,
      String name,
      Set<FieldType> allowed,
      String what) {
    Field field = fields.get(name);
    if (field == null) {
      throw new InvalidSchemaException(
          id
              + " names "
              + name
              + " as "
              + what
              + ", but has no such field; its fields are "
              + fields.keySet());
    }
    if (!allowed.contains(field.type())) {
      throw new InvalidSchemaException(
          id
              + " has "
              + what
              + " "
              + name
              + " of type "
              + TypeFormatter.format(field.type())
              + "; it must be "
              + String.join(" or ", allowed.stream().map(TypeFormatter::format).sorted().toList())
              + " and not optional");
    }
  }

  /** Returns the fields that are stored in the payload: all but an instance key. */
  public SortedMap<String, Field> payload() {
    Optional<String> instanceKey = instanceKeyField();
    if (instanceKey.isEmpty()) {
      return fields;
    }
    SortedMap<String, Field> rest = new TreeMap<>(fields);
    rest.remove(instanceKey.get());
    return Collections.unmodifiableSortedMap(rest);
  }

  /** Returns the field that tells relations of the same two ends apart, or empty for entities. */
  public Optional<String> instanceKeyField() {
    return identity instanceof IdentityRule.Endpoints ends
        ? ends.instanceKeyField()
        : Optional.empty();
  }
}
