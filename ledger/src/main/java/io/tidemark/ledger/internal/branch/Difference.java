// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.util.Locale;
import java.util.Optional;

/**
 * An identity that two states have otherwise.
 *
 * @param before as the first state has it; empty when it hasn't
 * @param after as the second has it; empty when it hasn't
 */
public record Difference(
    TypeId type, Identity identity, Optional<Row> before, Optional<Row> after) {

  /** How it differs, seen from the first state. */
  public enum Kind {
    INSERTED,
    CHANGED,
    /** Only the first state has it: it is of the other branch, or comes later, or was dropped. */
    REMOVED;

    /** As it is written in JSON. */
    public String jsonName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Kind kind() {
    if (before.isEmpty()) {
      return Kind.INSERTED;
    }
    return after.isEmpty() ? Kind.REMOVED : Kind.CHANGED;
  }
}
