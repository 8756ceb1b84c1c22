// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.util.Locale;
import java.util.Optional;

/** Kind of a type: entities are things, relations connect two of them. */
public enum TypeKind {
  ENTITY,
  RELATION;

  /** Returns the name in manifests, registries and tokens: {@code entity}. */
  public String singular() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name in keys of files and indices: {@code entities}. */
  public String plural() {
    return this == ENTITY ? "entities" : "relations";
  }

  /** Returns the kind of that name in the singular. */
  public static Optional<TypeKind> of(String singular) {
    for (TypeKind typeKind : values()) {
      if (typeKind.singular().equals(singular)) {
        return Optional.of(typeKind);
      }
    }
    return Optional.empty();
  }
}
