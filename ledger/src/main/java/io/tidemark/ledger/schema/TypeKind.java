// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.util.Locale;
import java.util.Optional;

/** What a type describes: things, or how two things are related. */
public enum TypeKind {
  ENTITY,
  RELATION;

  /** As it is written in manifests, registries and tokens: {@code entity}. */
  public String singular() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As it is written in keys of files and indices: {@code entities}. */
  public String plural() {
    return this == ENTITY ? "entities" : "relations";
  }

  /** The kind of that name in the singular. */
  public static Optional<TypeKind> of(String singular) {
    for (TypeKind typeKind : values()) {
      if (typeKind.singular().equals(singular)) {
        return Optional.of(typeKind);
      }
    }
    return Optional.empty();
  }
}
