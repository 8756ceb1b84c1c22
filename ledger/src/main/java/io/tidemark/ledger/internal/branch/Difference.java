// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.util.Locale;
import java.util.Optional;

/**
 * Identity whose rows differ in two states.
 *
 * @param before row of the first state; empty when it has none
 * @param after row of the second state; empty when it has none
 */
public record Difference(
    TypeId type, Identity identity, Optional<Row> before, Optional<Row> after) {

  /** Kind of the difference, seen from the first state. */
  public enum Kind {
    INSERTED,
    CHANGED,
    /** Only the first state has it: it belongs to the other branch, comes later, or was dropped. */
    REMOVED;

    /** Returns the name in JSON. */
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
