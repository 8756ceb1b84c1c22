// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.util.Comparator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Identifier of a type: an entity and a relation may have the same name and are two types.
 *
 * @param name part of object keys, so it is held to {@code [A-Za-z_][A-Za-z0-9._-]*}
 */
public record TypeId(TypeKind kind, String name) implements Comparable<TypeId> {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,127}");
  private static final Comparator<TypeId> ORDER =
      Comparator.comparing(TypeId::kind).thenComparing(TypeId::name);

  public TypeId {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidSchemaException(
          "\""
              + name
              + "\" can't be the name of a type: take 1 to 128 of the letters A to Z, digits, '_',"
              + " '.' and '-', with a letter or '_' first");
    }
  }

  public static TypeId entity(String name) {
    return new TypeId(TypeKind.ENTITY, name);
  }

  public static TypeId relation(String name) {
    return new TypeId(TypeKind.RELATION, name);
  }

  /** Compares the components explicitly, as in {@link io.tidemark.objects.ETag}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TypeId id && kind == id.kind && name.equals(id.name);
  }

  @Override
  public int hashCode() {
    return kind.hashCode() * 31 + name.hashCode();
  }

  @Override
  public int compareTo(TypeId other) {
    return ORDER.compare(this, other);
  }

  /** Returns the type as reports name it: {@code entity:Customer}. */
  @Override
  public String toString() {
    return kind.singular() + ":" + name;
  }
}
