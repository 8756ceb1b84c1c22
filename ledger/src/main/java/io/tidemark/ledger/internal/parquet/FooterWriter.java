// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.column.statistics.DoubleStatistics;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;

/** Writer of the end of a file, which describes everything before it. */
final class FooterWriter {

  static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** Constant across files and releases, since it is a part of the bytes that are hashed. */
  private static final String CREATED_BY = "tidemark version 1.0.0 (build ledger)";

  private static final int LONGEST_LIMIT = 256;

  private FooterWriter() {}

  static void write(
      MessageType columns, List<RowGroup> groups, HashingOutputStream hashingOutputStream)
      throws IOException {
    long rows = groups.stream().mapToLong(RowGroup::getNum_rows).sum();
    FileMetaData meta = new FileMetaData(1, schema(columns), rows, groups);
    meta.setCreated_by(CREATED_BY);
    // Without an order, readers don't trust the limits of texts and decimals.
    ColumnOrder order = ColumnOrder.TYPE_ORDER(new TypeDefinedOrder());
    meta.setColumn_orders(Collections.nCopies(columns.getColumns().size(), order));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
    Util.writeFileMetaData(meta, bytes);
    int length = bytes.size();
    bytes.write(
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array());
    bytes.write(MAGIC);
    bytes.writeTo(hashingOutputStream);
  }

  /** Returns the columns as a footer describes them. */
  static List<SchemaElement> schema(MessageType columns) {
    List<SchemaElement> elements = new ArrayList<>();
    elements.add(new SchemaElement(columns.getName()).setNum_children(columns.getFieldCount()));
    for (var field : columns.getFields()) {
      elements.add(element(field.asPrimitiveType()));
    }
    return elements;
  }

  private static SchemaElement element(PrimitiveType type) {
    SchemaElement element = new SchemaElement(type.getName());
    element.setType(physical(type));
    element.setRepetition_type(FieldRepetitionType.valueOf(type.getRepetition().name()));
    if (element.getType() == Type.FIXED_LEN_BYTE_ARRAY) {
      element.setType_length(type.getTypeLength());
    }
    // The older annotation comes along, for readers that know no other.
    LogicalTypeAnnotation meaning = type.getLogicalTypeAnnotation();
    if (meaning instanceof StringLogicalTypeAnnotation) {
      element.setConverted_type(ConvertedType.UTF8);
      element.setLogicalType(LogicalType.STRING(new StringType()));
    } else if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
      element.setConverted_type(ConvertedType.DECIMAL);
      element.setScale(decimal.getScale());
      element.setPrecision(decimal.getPrecision());
      element.setLogicalType(
          LogicalType.DECIMAL(new DecimalType(decimal.getScale(), decimal.getPrecision())));
    } else if (meaning instanceof TimestampLogicalTypeAnnotation) {
      element.setConverted_type(ConvertedType.TIMESTAMP_MICROS);
      element.setLogicalType(
          LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MICROS(new MicroSeconds()))));
    }
    return element;
  }

  /** Returns how values of a column are stored. */
  static Type physical(PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case BINARY -> Type.BYTE_ARRAY;
      case INT64 -> Type.INT64;
      case INT32 -> Type.INT32;
      case INT96 -> Type.INT96;
      case DOUBLE -> Type.DOUBLE;
      case FLOAT -> Type.FLOAT;
      case BOOLEAN -> Type.BOOLEAN;
      case FIXED_LEN_BYTE_ARRAY -> Type.FIXED_LEN_BYTE_ARRAY;
    };
  }

  /**
   * Returns the least and the greatest value of a column, by which a reader skips whole groups of
   * rows.
   */
  static Optional<Statistics> limits(org.apache.parquet.column.statistics.Statistics<?> seen) {
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    Statistics limits = new Statistics();
    limits.setNull_count(seen.getNumNulls());
    if (seen.hasNonNullValue() && seen.isSmallerThan(LONGEST_LIMIT)) {
      // Zero has two signs, and readers may take either for the lesser.
      if (seen instanceof DoubleStatistics numbers) {
        double least = numbers.getMin() == 0 ? -0.0 : numbers.getMin();
        numbers.setMinMax(least, numbers.getMax() == 0 ? 0.0 : numbers.getMax());
      }
      limits.setMin_value(seen.getMinBytes());
      limits.setMax_value(seen.getMaxBytes());
    }
    return Optional.of(limits);
  }
}
