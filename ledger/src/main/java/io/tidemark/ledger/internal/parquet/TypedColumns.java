// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.Decimals;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Choice of the fields of a type that have a column of their own, by which readers can filter
 * without parsing JSON.
 *
 * <p>Those are the scalars. Left out, so that they are found in the JSON only, are fields whose
 * name is that of another column: of one that every file has, of one that readers of Parquet make
 * up, or of another field. Names that differ only in case count as the same, since SQL takes them
 * so.
 */
public final class TypedColumns {

  private static final Set<String> RESERVED =
      Set.of(
          "commit_id",
          "entity_type",
          "entity_key",
          "relation_type",
          "left_key",
          "right_key",
          "instance_key",
          "schema_version_id",
          "fields_json",
          "filename",
          "file_index",
          "file_row_number",
          "rowid");

  private TypedColumns() {}

  /** Returns the fields with a column and what is in it, in the order of the columns. */
  public static SortedMap<String, Scalar> of(TypeSchema schema) {
    SortedMap<String, Field> payload = schema.payload();
    Map<String, Integer> uses = new HashMap<>();
    payload.keySet().forEach(name -> uses.merge(folded(name), 1, Integer::sum));
    SortedMap<String, Scalar> columns = new TreeMap<>();
    payload.forEach(
        (name, field) -> {
          boolean free =
              !RESERVED.contains(folded(name)) && uses.getOrDefault(folded(name), 0) == 1;
          if (free && field.type().notNull() instanceof Scalar scalar) {
            columns.put(name, scalar);
          }
        });
    return Collections.unmodifiableSortedMap(columns);
  }

  /**
   * Returns a number without zeros at its end, if a column of exact numbers can hold it; empty if
   * it is too large or has too many digits.
   */
  public static Optional<BigDecimal> exact(BigDecimal number, Scalar type) {
    int scale = type == Scalar.LONG ? 0 : FileLayout.DECIMAL_SCALE;
    int digits = type == Scalar.LONG ? 19 : FileLayout.DECIMAL_PRECISION;
    BigDecimal value = Decimals.stripped(number);
    // Looked at before it is scaled: 1e999999999 is short as it stands.
    boolean fits =
        value.scale() <= scale && (long) value.precision() - value.scale() + scale <= digits;
    return fits && (type == Scalar.DECIMAL || value.toBigInteger().bitLength() <= 63)
        ? Optional.of(value)
        : Optional.empty();
  }

  /** Returns the moment of a text in the form that instants are stored in; empty for any other. */
  public static Optional<Instant> instant(String text) {
    OptionalLong micros = EpochMicros.of(text);
    return micros.isPresent()
        ? Optional.of(Instant.EPOCH.plus(micros.getAsLong(), ChronoUnit.MICROS))
        : Optional.empty();
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
