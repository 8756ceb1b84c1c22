// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.ledger.internal.text.TypeNameResolver;
import io.tidemark.ledger.schema.TypeId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Types by the names that requests have. */
final class TypeResolver {

  private TypeResolver() {}

  /**
   * Returns the type of a name.
   *
   * @throws io.tidemark.ledger.schema.InvalidSchemaException if there is none, or if there are two
   */
  static TypeId resolve(String name, Collection<TypeId> known) {
    return TypeNameResolver.resolve(name, known, "declare one with the first rows");
  }

  /** Returns the types of names. */
  static Set<TypeId> resolve(List<String> names, Collection<TypeId> known) {
    Set<TypeId> types = new TreeSet<>();
    names.forEach(name -> types.add(resolve(name, known)));
    return types;
  }
}
