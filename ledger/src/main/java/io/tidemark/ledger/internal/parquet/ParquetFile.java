// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.jspecify.annotations.Nullable;

/** Parquet file of whichever writer: its columns by name, and its groups of rows. */
final class ParquetFile implements AutoCloseable {

  private static final int TAIL = Integer.BYTES + FooterWriter.MAGIC.length;

  private final FileBytes bytes;
  private final FileMetaData meta;
  private final Map<String, ColumnDescriptor> columns = new HashMap<>();

  private ParquetFile(FileBytes bytes, FileMetaData meta) {
    this.bytes = bytes;
    this.meta = meta;
    List<SchemaElement> schema = meta.getSchema();
    int next = 1;
    for (int child = 0; child < schema.get(0).getNum_children(); child++) {
      SchemaElement element = schema.get(next);
      if (element.isSetType()) {
        columns.put(element.getName(), descriptor(element));
      }
      next = behind(schema, next);
    }
  }

  /** Reads the footer. */
  static ParquetFile of(FileBytes bytes) throws IOException {
    byte[] footer = footer(bytes);
    ParquetFile file;
    long inGroups = 0;
    try {
      file = new ParquetFile(bytes, Util.readFileMetaData(new ByteArrayInputStream(footer)));
      for (RowGroup group : file.meta.getRow_groups()) {
        inGroups += group.getNum_rows();
      }
    } catch (IOException | RuntimeException e) {
      throw corrupt("its footer can't be read: " + e.getMessage(), e);
    }
    if (inGroups != file.rows()) {
      throw corrupt("it claims " + file.rows() + " rows and has " + inGroups, null);
    }
    return file;
  }

  private static byte[] footer(FileBytes bytes) throws IOException {
    long length = bytes.length();
    if (length < FooterWriter.MAGIC.length + TAIL) {
      throw corrupt("it has " + length + " bytes, too few for a Parquet file", null);
    }
    byte[] tail = bytes.read(length - TAIL, TAIL);
    boolean starts = Arrays.equals(bytes.read(0, FooterWriter.MAGIC.length), FooterWriter.MAGIC);
    boolean ends =
        Arrays.equals(tail, Integer.BYTES, TAIL, FooterWriter.MAGIC, 0, FooterWriter.MAGIC.length);
    if (!starts || !ends) {
      String where = starts ? "end" : "begin";
      throw corrupt("it doesn't " + where + " with PAR1 as Parquet files do", null);
    }
    int footer = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (footer <= 0 || footer > length - TAIL - FooterWriter.MAGIC.length) {
      throw corrupt("a footer of " + footer + " bytes doesn't fit in its " + length, null);
    }
    return bytes.read(length - TAIL - footer, footer);
  }

  /** Returns the index behind an element and all that is inside it, however deep. */
  private static int behind(List<SchemaElement> schema, int index) {
    int next = index;
    for (int open = 1; open > 0; open--) {
      open += schema.get(next++).getNum_children();
    }
    return next;
  }

  private static ColumnDescriptor descriptor(SchemaElement element) {
    PrimitiveTypeName name =
        switch (element.getType()) {
          case BOOLEAN -> PrimitiveTypeName.BOOLEAN;
          case INT32 -> PrimitiveTypeName.INT32;
          case INT64 -> PrimitiveTypeName.INT64;
          case INT96 -> PrimitiveTypeName.INT96;
          case FLOAT -> PrimitiveTypeName.FLOAT;
          case DOUBLE -> PrimitiveTypeName.DOUBLE;
          case BYTE_ARRAY -> PrimitiveTypeName.BINARY;
          case FIXED_LEN_BYTE_ARRAY -> PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        };
    FieldRepetitionType repetition = element.getRepetition_type();
    PrimitiveType type =
        new PrimitiveType(
            Repetition.valueOf(repetition.name()),
            name,
            element.getType_length(),
            element.getName());
    int repeated = repetition == FieldRepetitionType.REPEATED ? 1 : 0;
    int defined = repetition == FieldRepetitionType.REQUIRED ? 0 : 1;
    return new ColumnDescriptor(new String[] {element.getName()}, type, repeated, defined);
  }

  /** Returns a column that holds one value a row, if the file has one of that name. */
  Optional<ColumnDescriptor> column(String name) {
    return Optional.ofNullable(columns.get(name))
        .filter(column -> column.getMaxRepetitionLevel() == 0);
  }

  /** Returns whether these are all of its columns, in this order and of these very types. */
  boolean hasExactly(MessageType expected) {
    return meta.getSchema().equals(FooterWriter.schema(expected));
  }

  long rows() {
    return meta.getNum_rows();
  }

  int groups() {
    return meta.getRow_groupsSize();
  }

  long rowsOf(int group) {
    return meta.getRow_groups().get(group).getNum_rows();
  }

  /**
   * Returns the least and the greatest whole number of a column; empty when a group doesn't say.
   */
  Optional<VersionRange> limits(String name) {
    long lowest = Long.MAX_VALUE;
    long highest = Long.MIN_VALUE;
    for (RowGroup group : meta.getRow_groups()) {
      Statistics limits =
          group.getColumns().stream()
              .map(described -> described.getMeta_data())
              .filter(described -> described.getPath_in_schema().equals(List.of(name)))
              .filter(described -> described.getType() == Type.INT64)
              .map(described -> described.getStatistics())
              .filter(said -> said != null && said.isSetMin_value() && said.isSetMax_value())
              .findFirst()
              .orElse(null);
      if (limits == null) {
        return Optional.empty();
      }
      lowest = Math.min(lowest, whole(limits.getMin_value()));
      highest = Math.max(highest, whole(limits.getMax_value()));
    }
    return lowest > highest ? Optional.empty() : Optional.of(new VersionRange(lowest, highest));
  }

  private static long whole(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** Returns the pages of a column in a group of rows. */
  ColumnPageReader pages(int group, ColumnDescriptor column) throws IOException {
    RowGroup rows = meta.getRow_groups().get(group);
    ColumnMetaData chunk =
        rows.getColumns().stream()
            .map(described -> described.getMeta_data())
            .filter(described -> described.getPath_in_schema().equals(List.of(column.getPath())))
            .findFirst()
            .orElseThrow(() -> corrupt("it doesn't say where " + column + " is", null));
    if (chunk.getNum_values() != rows.getNum_rows()) {
      throw corrupt(
          column + " has " + chunk.getNum_values() + " values in " + rows.getNum_rows() + " rows",
          null);
    }
    long start = chunk.getData_page_offset();
    if (chunk.isSetDictionary_page_offset() && chunk.getDictionary_page_offset() > 0) {
      start = Math.min(start, chunk.getDictionary_page_offset());
    }
    long length = chunk.getTotal_compressed_size();
    if (start < 0 || length < 0 || length > Integer.MAX_VALUE || start > bytes.length() - length) {
      throw corrupt(
          column + " is said to be at " + start + " with " + length + " bytes, outside the file",
          null);
    }
    return new ColumnPageReader(chunk, bytes.read(start, (int) length), unpacked(rows, chunk));
  }

  /**
   * Returns how many bytes the pages of a column can have: the maximum when the file doesn't say.
   */
  private static long unpacked(RowGroup rows, ColumnMetaData chunk) {
    long said = Math.max(rows.getTotal_byte_size(), chunk.getTotal_uncompressed_size());
    return said > 0 ? said : Long.MAX_VALUE;
  }

  /** Returns an exception that says what is wrong with the file and what to do. */
  static CorruptFileException corrupt(String problem, @Nullable Throwable e) {
    return new CorruptFileException(
        "not a file of rows: "
            + problem
            + "; fetch it again, and if it stays so restore it from a copy",
        e);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
