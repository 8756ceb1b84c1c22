// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.nio.charset.StandardCharsets;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Values of one column in one group of rows, each of which is asked for once. */
final class ColumnValues {

  private final ColumnDescriptor column;
  private final PrimitiveTypeName type;
  private final ColumnReader reader;

  ColumnValues(ColumnDescriptor column, ColumnPageReader pages) {
    this.column = column;
    this.type = column.getPrimitiveType().getPrimitiveTypeName();
    try {
      this.reader = new ColumnReaderImpl(column, pages, new PrimitiveConverter() {}, null);
    } catch (RuntimeException e) {
      throw unreadable(e);
    }
  }

  /** Returns the next value as a whole number, which must be there. */
  long whole() {
    return take(this::readWhole, Absent.REFUSED, 0L);
  }

  /** Returns the next value as a whole number; 0 when there is none. */
  long wholeOrZero() {
    return take(this::readWhole, Absent.ALLOWED, 0L);
  }

  /** Returns the next value as a text, which must be there. */
  String text() {
    return take(this::readText, Absent.REFUSED, "");
  }

  /** Returns the next value as a text; empty when there is none. */
  String textOrEmpty() {
    return take(this::readText, Absent.ALLOWED, "");
  }

  private enum Absent {
    ALLOWED,
    REFUSED
  }

  private interface Reading<T> {
    T read();
  }

  private <T> T take(Reading<T> reading, Absent absent, T otherwise) {
    try {
      boolean there = reader.getCurrentDefinitionLevel() == column.getMaxDefinitionLevel();
      T value = there ? reading.read() : otherwise;
      reader.consume();
      if (!there && absent == Absent.REFUSED) {
        throw ParquetFile.corrupt("a row has no " + column.getPath()[0], null);
      }
      return value;
    } catch (CorruptFileException e) {
      throw e;
    } catch (RuntimeException e) { // any failure of the library
      throw unreadable(e);
    }
  }

  private Long readWhole() {
    return switch (type) {
      case INT64 -> reader.getLong();
      case INT32 -> (long) reader.getInteger();
      default -> throw ParquetFile.corrupt(column + " holds no whole numbers", null);
    };
  }

  private String readText() {
    if (type != PrimitiveTypeName.BINARY) {
      throw ParquetFile.corrupt(column + " holds no text", null);
    }
    return new String(reader.getBinary().getBytesUnsafe(), StandardCharsets.UTF_8);
  }

  private CorruptFileException unreadable(RuntimeException e) {
    return e instanceof CorruptFileException corrupt
        ? corrupt
        : ParquetFile.corrupt(
            "the column " + column.getPath()[0] + " can't be read: " + e.getMessage(), e);
  }
}
