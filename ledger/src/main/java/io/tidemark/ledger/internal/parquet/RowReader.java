// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.objects.internal.json.FiniteJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.parquet.column.ColumnDescriptor;

/**
 * Reader of the rows of a Parquet file in their order, a group at a time.
 *
 * <p>Takes the files of other writers as well: columns are found by their name, in any order and
 * encoding, and those that rows aren't made of are passed over. Any fault of the file, found at the
 * start or on the way, is a {@link CorruptFileException}.
 *
 * <p>Not for use by several threads.
 */
public final class RowReader implements AutoCloseable, Iterator<Row> {

  private final ParquetFile file;
  private final TypeKind typeKind;
  private final List<ColumnDescriptor> wanted = new ArrayList<>();
  private final boolean versions;
  private final boolean payloads;
  private List<ColumnValues> columns = List.of();
  private int nextGroup;
  private long left;

  private RowReader(TypeKind typeKind, ParquetFile file, ColumnSelection columnSelection) {
    this.file = file;
    this.typeKind = typeKind;
    this.versions = file.column(FileLayout.SCHEMA_VERSION_ID).isPresent();
    this.payloads = columnSelection == ColumnSelection.ALL;
    require(FileLayout.COMMIT_ID);
    if (typeKind == TypeKind.ENTITY) {
      require(FileLayout.ENTITY_KEY);
    } else {
      require(FileLayout.LEFT_KEY);
      require(FileLayout.RIGHT_KEY);
      require(FileLayout.INSTANCE_KEY);
    }
    if (versions) {
      require(FileLayout.SCHEMA_VERSION_ID);
    }
    if (payloads) {
      require(FileLayout.FIELDS_JSON);
    }
  }

  private void require(String name) {
    wanted.add(
        file.column(name)
            .orElseThrow(
                () ->
                    ParquetFile.corrupt(
                        "it has no column " + name + ", as files of " + typeKind.plural() + " have",
                        null)));
  }

  /** Reads whole rows of a file that is in memory. */
  public static RowReader open(TypeKind typeKind, byte[] bytes) {
    return open(typeKind, bytes, ColumnSelection.ALL);
  }

  /** Reads rows of a file that is in memory. */
  public static RowReader open(TypeKind typeKind, byte[] bytes, ColumnSelection columnSelection) {
    return open(typeKind, FileBytes.of(bytes), columnSelection);
  }

  /** Reads whole rows of a file on disk. */
  public static RowReader open(TypeKind typeKind, Path file) {
    return open(typeKind, file, ColumnSelection.ALL);
  }

  /** Reads rows of a file on disk. */
  public static RowReader open(TypeKind typeKind, Path file, ColumnSelection columnSelection) {
    try {
      return open(typeKind, FileBytes.of(file), columnSelection);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Reads whole rows of a file that is open, and is closed with this. */
  public static RowReader open(TypeKind typeKind, FileChannel file) {
    try {
      return open(typeKind, FileBytes.of(file), ColumnSelection.ALL);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static RowReader open(
      TypeKind typeKind, FileBytes bytes, ColumnSelection columnSelection) {
    try {
      return new RowReader(typeKind, ParquetFile.of(bytes), columnSelection);
    } catch (IOException e) {
      throw closing(bytes, failed(e));
    } catch (RuntimeException e) {
      throw closing(bytes, e);
    }
  }

  private static RuntimeException closing(FileBytes bytes, RuntimeException problem) {
    try {
      bytes.close();
    } catch (IOException e) {
      problem.addSuppressed(e);
    }
    return problem;
  }

  /** Returns how many rows the file has, read or not. */
  public long rowCount() {
    return file.rows();
  }

  @Override
  public boolean hasNext() {
    while (left == 0 && nextGroup < file.groups()) {
      openGroup(nextGroup++);
    }
    return left > 0;
  }

  private void openGroup(int group) {
    left = file.rowsOf(group);
    if (left == 0) {
      return;
    }
    try {
      List<ColumnValues> opened = new ArrayList<>();
      for (ColumnDescriptor column : wanted) {
        opened.add(new ColumnValues(column, file.pages(group, column)));
      }
      columns = opened;
    } catch (IOException e) {
      throw failed(e);
    } catch (CorruptFileException e) {
      throw e;
    } catch (RuntimeException e) { // a footer that leaves out what it must have
      throw ParquetFile.corrupt("a group of rows can't be read: " + e.getMessage(), e);
    }
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the file has no more rows");
    }
    left--;
    int next = 0;
    long commitId = columns.get(next++).whole();
    Identity identity;
    if (typeKind == TypeKind.ENTITY) {
      identity = new EntityKey(columns.get(next++).text());
    } else {
      String leftKey = columns.get(next++).text();
      String rightKey = columns.get(next++).text();
      identity = new RelationKey(leftKey, rightKey, columns.get(next++).textOrEmpty());
    }
    long version = versions ? columns.get(next++).wholeOrZero() : 0;
    String payload = payloads ? FiniteJson.of(columns.get(next).text()) : "";
    return new Row(commitId, identity, version, payload);
  }

  private static UncheckedIOException failed(IOException e) {
    return new UncheckedIOException(
        "can't read a file of rows: " + e.getMessage() + "; look at the disk it is on", e);
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
