// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** Columns of a type's files: first those that every file of its kind has, then the typed ones. */
record FileLayout(TypeSchema type, MessageType columns, SortedMap<String, Scalar> typed) {

  static final String COMMIT_ID = "commit_id";
  static final String ENTITY_TYPE = "entity_type";
  static final String ENTITY_KEY = "entity_key";
  static final String RELATION_TYPE = "relation_type";
  static final String LEFT_KEY = "left_key";
  static final String RIGHT_KEY = "right_key";
  static final String INSTANCE_KEY = "instance_key";
  static final String SCHEMA_VERSION_ID = "schema_version_id";
  static final String FIELDS_JSON = "fields_json";

  static final int DECIMAL_PRECISION = 38;
  static final int DECIMAL_SCALE = 18;
  static final int DECIMAL_BYTES = 16;

  private static final int RELATION_PARTS = 3;

  static FileLayout of(TypeSchema type) {
    var typed = TypedColumns.of(type);
    List<Type> columns = new ArrayList<>();
    columns.add(Types.required(PrimitiveTypeName.INT64).named(COMMIT_ID));
    if (type.id().kind() == TypeKind.ENTITY) {
      columns.add(text(ENTITY_TYPE));
      columns.add(text(ENTITY_KEY));
    } else {
      columns.add(text(RELATION_TYPE));
      columns.add(text(LEFT_KEY));
      columns.add(text(RIGHT_KEY));
      columns.add(text(INSTANCE_KEY));
    }
    columns.add(Types.optional(PrimitiveTypeName.INT64).named(SCHEMA_VERSION_ID));
    columns.add(text(FIELDS_JSON));
    typed.forEach((name, scalar) -> columns.add(column(name, scalar)));
    return new FileLayout(type, new MessageType(type.id().kind().singular(), columns), typed);
  }

  /** Returns the columns of a file that has several versions of rows. */
  MessageType columnsOfVersions() {
    List<Type> all = new ArrayList<>(columns.getFields());
    all.add(Types.required(PrimitiveTypeName.INT64).named(FileColumns.UNTIL));
    return new MessageType(columns.getName(), all);
  }

  private static PrimitiveType text(String name) {
    return Types.required(PrimitiveTypeName.BINARY)
        .as(LogicalTypeAnnotation.stringType())
        .named(name);
  }

  private static PrimitiveType column(String name, Scalar scalar) {
    return switch (scalar) {
      case STRING ->
          Types.optional(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named(name);
      case LONG -> Types.optional(PrimitiveTypeName.INT64).named(name);
      case DOUBLE -> Types.optional(PrimitiveTypeName.DOUBLE).named(name);
      case BOOLEAN -> Types.optional(PrimitiveTypeName.BOOLEAN).named(name);
      case DECIMAL ->
          Types.optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
              .length(DECIMAL_BYTES)
              .as(LogicalTypeAnnotation.decimalType(DECIMAL_SCALE, DECIMAL_PRECISION))
              .named(name);
      case INSTANT ->
          Types.optional(PrimitiveTypeName.INT64)
              .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS))
              .named(name);
    };
  }

  /**
   * Encodings that pay for a column.
   *
   * @param dictionary whether to look for equal values
   * @param limits whether to tell the first and the last value
   */
  record EncodingOptions(boolean dictionary, boolean limits) {

    static EncodingOptions of(ColumnDescriptor column) {
      return switch (column.getPath()[0]) {
        // Queries don't search for whole payloads, and the limits would be as long as the payloads.
        case FIELDS_JSON -> new EncodingOptions(false, false);
        // Of keys few are the same: looking for equal ones would cost and not pay.
        case ENTITY_KEY -> new EncodingOptions(false, true);
        default -> new EncodingOptions(true, true);
      };
    }
  }

  /** Returns how many parts an identity has. */
  int identityParts() {
    return type.id().kind() == TypeKind.ENTITY ? 1 : RELATION_PARTS;
  }

  /** Returns the columns one by one. */
  List<ColumnDescriptor> descriptors() {
    return columns.getColumns();
  }
}
