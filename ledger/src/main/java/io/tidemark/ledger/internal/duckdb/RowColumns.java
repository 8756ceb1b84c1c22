// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Columns of a type's rows in SQL. */
public final class RowColumns {

  static final String COMMIT_ID = "commit_id";
  static final String ENTITY_KEY = "entity_key";
  static final String LEFT_KEY = "left_key";
  static final String RIGHT_KEY = "right_key";
  static final String INSTANCE_KEY = "instance_key";
  static final String VERSION = "schema_version_id";
  static final String PAYLOAD = "fields_json";

  /** SQL of the payload with null for numbers that aren't finite, as {@code FiniteJson} has it. */
  private static final String FINITE_PAYLOAD =
      "CASE WHEN contains(fields_json, 'NaN') OR contains(fields_json, 'Infinity') THEN"
          + " list_aggregate(list_transform(regexp_extract_all(fields_json,"
          + " '(?s)\"(?:[^\"\\\\]|\\\\.)*\"|NaN|-?Infinity|[^\"NI-]+|.'), lambda part: CASE WHEN part IN"
          + " ('NaN', 'Infinity', '-Infinity') THEN 'null' ELSE part END), 'string_agg', '')"
          + " ELSE fields_json END";

  private RowColumns() {}

  /** Returns the columns that identify rows of a kind. */
  public static List<String> identity(TypeKind typeKind) {
    return typeKind == TypeKind.ENTITY
        ? List.of(ENTITY_KEY)
        : List.of(LEFT_KEY, RIGHT_KEY, INSTANCE_KEY);
  }

  /** Returns the columns that every row of a kind has, the payload last. */
  public static List<String> common(TypeKind typeKind) {
    List<String> columns = new ArrayList<>();
    columns.add(COMMIT_ID);
    columns.addAll(identity(typeKind));
    columns.add(VERSION);
    columns.add(PAYLOAD);
    return columns;
  }

  /** Returns all columns: those of the kind, and then one for each field that is a single value. */
  public static String all(TypeView type) {
    List<String> columns = new ArrayList<>(common(type.id().kind()));
    type.typed().keySet().forEach(name -> columns.add(SqlQuoting.name(name)));
    return String.join(", ", columns);
  }

  /**
   * Returns all columns for files whose columns are unreliable: fields are computed from the
   * payload, and other programs' conventions are converted to ours. Such programs may leave out the
   * last part of a relation's identity, where we have an empty one, and have numbers of four bytes.
   */
  static String fromPayload(TypeView type) {
    List<String> columns = new ArrayList<>();
    for (String name : common(type.id().kind())) {
      columns.add(
          switch (name) {
            case COMMIT_ID, VERSION -> "CAST(" + name + " AS BIGINT) AS " + name;
            case INSTANCE_KEY -> "coalesce(" + name + ", '') AS " + name;
            case PAYLOAD -> FINITE_PAYLOAD + " AS " + name;
            default -> name;
          });
    }
    type.typed()
        .forEach(
            (name, scalar) -> columns.add(typed(name, scalar) + " AS " + SqlQuoting.name(name)));
    return String.join(", ", columns);
  }

  private static String typed(String name, Scalar scalar) {
    JsonValueSql jsonValueSql = new JsonValueSql(PAYLOAD, List.of(name));
    return switch (scalar) {
      case STRING -> jsonValueSql.text();
      case BOOLEAN -> jsonValueSql.bool();
      case DOUBLE ->
          "CASE WHEN isfinite("
              + jsonValueSql.number()
              + ") THEN "
              + jsonValueSql.number()
              + " END";
      case LONG ->
          "CASE WHEN CAST("
              + jsonValueSql.whole()
              + " AS DOUBLE) = "
              + jsonValueSql.number()
              + " THEN TRY_CAST("
              + jsonValueSql.whole()
              + " AS BIGINT) END";
      case DECIMAL -> "TRY_CAST(" + jsonValueSql.numberText() + " AS DECIMAL(38, 18))";
      case INSTANT ->
          "CASE WHEN regexp_full_match("
              + jsonValueSql.text()
              + ", '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d([.]\\d{6})?[+]00:00') THEN TRY_CAST("
              + jsonValueSql.text()
              + " AS TIMESTAMPTZ) END";
    };
  }

  /** Returns a relation without rows. */
  public static String none(TypeView type) {
    TypeKind typeKind = type.id().kind();
    List<String> columns = new ArrayList<>();
    for (String name : common(typeKind)) {
      boolean number = name.equals(COMMIT_ID) || name.equals(VERSION);
      columns.add("CAST(NULL AS " + (number ? "BIGINT" : "VARCHAR") + ") AS " + name);
    }
    type.typed()
        .forEach(
            (name, scalar) ->
                columns.add("CAST(NULL AS " + sqlType(scalar) + ") AS " + SqlQuoting.name(name)));
    return columns.stream().collect(Collectors.joining(", ", "(SELECT ", " WHERE FALSE)"));
  }

  private static String sqlType(Scalar scalar) {
    return switch (scalar) {
      case STRING -> "VARCHAR";
      case LONG -> "BIGINT";
      case DOUBLE -> "DOUBLE";
      case BOOLEAN -> "BOOLEAN";
      case DECIMAL -> "DECIMAL(38, 18)";
      case INSTANT -> "TIMESTAMPTZ";
    };
  }
}
