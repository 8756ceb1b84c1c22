// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.ledger.schema.TypeId;
import java.util.Collection;

/** Types as one types them: {@code Customer}, or {@code relation:Customer} where that is two. */
final class TypeName {

  private TypeName() {}

  /** The type that is meant by a name; where there is none at all, says how one is declared. */
  static TypeId resolve(String text, Collection<TypeId> known) {
    return io.tidemark.ledger.schema.TypeName.resolve(
        text, known, "declare it in a file, and name that with --schema");
  }
}
