// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formatter of types for messages and tables. */
final class TypeFormatter {

  private TypeFormatter() {}

  /**
   * Returns text such as {@code long}, {@code string?}, {@code [double]}, {@code Address{city:
   * string}}.
   */
  static String format(FieldType type) {
    if (type instanceof Scalar scalar) {
      return scalar.name().toLowerCase(Locale.ROOT);
    }
    if (type instanceof Nullable nullable) {
      return format(nullable.type()) + "?";
    }
    if (type instanceof ListOf list) {
      return "[" + format(list.item()) + "]";
    }
    if (type instanceof MapOf map) {
      return "{*: " + format(map.value()) + "}";
    }
    if (type instanceof RecordOf nested) {
      return nested.fields().entrySet().stream()
          .map(field -> field.getKey() + ": " + format(field.getValue()))
          .collect(Collectors.joining(", ", nested.name() + "{", "}"));
    }
    return type.equals(Foreign.any()) ? "any" : ((Foreign) type).type();
  }
}
