// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.util.Locale;
import java.util.Optional;

/** Metadata field of every row. The sign tells it from fields of the same name. */
public enum MetaField implements Operand {
  /** The key of an entity, as text. */
  KEY,
  /** The key of a relation's left end. */
  LEFT,
  /** The key of a relation's right end. */
  RIGHT,
  /**
   * The instance key, which tells relations of the same two ends apart; empty text if there is
   * none.
   */
  INSTANCE,
  /** The commit that wrote the row, a number. */
  COMMIT;

  /** Returns the field of that name, such as {@code @key}. */
  public static Optional<MetaField> of(String text) {
    for (MetaField field : values()) {
      if (field.toString().equals(text)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return "@" + name().toLowerCase(Locale.ROOT);
  }
}
