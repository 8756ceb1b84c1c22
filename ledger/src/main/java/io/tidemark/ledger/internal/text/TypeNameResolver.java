// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.util.Collection;
import java.util.List;

/**
 * Resolver of types as people name them: {@code Customer}, or {@code relation:Customer} where that
 * is two.
 */
public final class TypeNameResolver {

  private TypeNameResolver() {}

  /**
   * Returns the type that a name means.
   *
   * @param ifNone what to do where there is no type at all
   * @throws InvalidSchemaException when there is none, or are two
   */
  public static TypeId resolve(String text, Collection<TypeId> known, String ifNone) {
    int colon = text.indexOf(':');
    List<TypeId> meant =
        known.stream()
            .filter(
                type ->
                    colon < 0
                        ? type.name().equals(text)
                        : TypeKind.of(text.substring(0, colon))
                                .filter(type.kind()::equals)
                                .isPresent()
                            && type.name().equals(text.substring(colon + 1)))
            .toList();
    if (meant.size() == 1) {
      return meant.get(0);
    }
    String others = known.isEmpty() ? "the ledger has none yet: " + ifNone : "there are " + known;
    throw new InvalidSchemaException(
        meant.isEmpty()
            ? "there is no type " + text + "; " + others
            : text + " is the name of " + meant + "; say which");
  }
}
