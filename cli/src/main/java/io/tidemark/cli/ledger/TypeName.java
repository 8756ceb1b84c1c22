// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import java.util.Collection;
import java.util.List;

/** Types as one types them: {@code Customer}, or {@code relation:Customer} where that is two. */
final class TypeName {

  private TypeName() {}

  /** The type that is meant by a name. */
  static TypeId resolve(String text, Collection<TypeId> known) {
    int colon = text.indexOf(':');
    List<TypeId> meant =
        known.stream()
            .filter(
                type ->
                    colon < 0
                        ? type.name().equals(text)
                        : Kind.of(text.substring(0, colon)).filter(type.kind()::equals).isPresent()
                            && type.name().equals(text.substring(colon + 1)))
            .toList();
    if (meant.size() == 1) {
      return meant.get(0);
    }
    throw new InvalidSchemaException(
        meant.isEmpty()
            ? "there is no type " + text + "; " + others(known)
            : text + " is the name of " + meant + "; say which");
  }

  private static String others(Collection<TypeId> known) {
    return known.isEmpty()
        ? "the ledger has none yet: declare it in a file, and name that with --schema"
        : "there are " + known;
  }
}
