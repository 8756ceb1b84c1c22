// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.Body;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.internal.threads.OrderedParallel;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;

/**
 * Writer of rows of one type into one Parquet file. Equal rows in equal order give equal bytes.
 *
 * <p>Rows are held back in memory a group at a time, so any number of them can be written to a file
 * on disk. Which rows make up a group depends on nothing but the rows; groups are encoded at the
 * same time, on as many cores as there are, and written in their order. Only when there are no more
 * rows, or too many, is it known which {@link FileSizeClass} the file has.
 *
 * <p>Not for use by several threads.
 */
public final class RowWriter implements AutoCloseable {

  private static final int SMALL_ROWS = 20;
  private static final long SMALL_BYTES = 1 << 14;
  private static final int GROUP_ROWS = 120_000;
  private static final long GROUP_BYTES = 20 << 20;
  private static final int GROUP_OF_VERSIONS = 1 << 14;

  /** Target that a file is written to. */
  private interface Target {
    /** Returns the finished file. */
    Body body() throws IOException;

    /** Discards what was written of a file that isn't to be finished. */
    void discard() throws IOException;
  }

  private final FileLayout layout;
  private final HashingOutputStream hashingOutputStream;
  private final Target target;
  private final List<RowGroup> groups = new ArrayList<>();
  private final OrderedParallel<RowGroupWriter> encoding;
  private Optional<LongUnaryOperator> until = Optional.empty();
  private PackedRows next = new PackedRows();
  private long nextBytes;
  private boolean ended;
  private long rows;
  private long minCommitId = Long.MAX_VALUE;
  private long maxCommitId = Long.MIN_VALUE;

  private RowWriter(TypeSchema schema, HashingOutputStream hashingOutputStream, Target target) {
    this(schema, hashingOutputStream, target, OrderedParallel.maxInFlight());
  }

  private RowWriter(
      TypeSchema schema, HashingOutputStream hashingOutputStream, Target target, int atOnce) {
    this.layout = FileLayout.of(schema);
    this.hashingOutputStream = hashingOutputStream;
    this.target = target;
    this.encoding = new OrderedParallel<>(this::write, atOnce);
    try {
      hashingOutputStream.write(FooterWriter.MAGIC);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Returns a writer of a file that is to be held in memory. */
  public static RowWriter toMemory(TypeSchema schema) {
    return toMemory(schema, OrderedParallel.maxInFlight());
  }

  /** Returns a writer to memory that encodes so many groups at once; 0 to encode them in turn. */
  static RowWriter toMemory(TypeSchema schema, int atOnce) {
    MemoryFile file = new MemoryFile();
    return new RowWriter(
        schema,
        new HashingOutputStream(file),
        new Target() {
          @Override
          public Body body() {
            return file.body();
          }

          @Override
          public void discard() {}
        },
        atOnce);
  }

  /**
   * Returns a writer of a file on disk.
   *
   * @param file overwritten if it is there; removed again if the writer is closed unfinished
   */
  public static RowWriter toFile(TypeSchema schema, Path file) {
    try {
      return new RowWriter(
          schema,
          new HashingOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)),
          new Target() {
            @Override
            public Body body() {
              return Body.ofFile(file);
            }

            @Override
            public void discard() throws IOException {
              Files.deleteIfExists(file);
            }
          });
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Returns a writer of a file that is on disk for a while.
   *
   * @param file empty; the caller closes it when the rows aren't needed any more
   */
  public static RowWriter toScratch(TypeSchema schema, ScratchFile file) {
    try {
      return new RowWriter(
          schema,
          new HashingOutputStream(new BufferedOutputStream(file.append(), 1 << 16)),
          new Target() {
            @Override
            public Body body() throws IOException {
              return Body.ofStream(file.size(), () -> file.read(0));
            }

            @Override
            public void discard() {}
          });
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Returns a writer of a temporary file with several versions of rows, which gets the column
   * {@link FileColumns#UNTIL}. Its groups are small at first, so that readers of a state can pass
   * over those in which every version has another after it.
   *
   * @param until what the column has, by the number of the row; asked for when the file is finished
   */
  public static RowWriter ofVersions(TypeSchema schema, ScratchFile file, LongUnaryOperator until) {
    RowWriter writer = toScratch(schema, file);
    writer.until = Optional.of(until);
    return writer;
  }

  /**
   * Adds a row behind those that have been added.
   *
   * @throws InvalidValueException when a key can't be stored as it is; the row isn't added
   */
  public void add(Row row) {
    requireStorable(row.identity());
    add(PackedRow.of(row));
  }

  /**
   * Adds a row behind those that have been added.
   *
   * @param row of this type, with an identity that is UTF-8
   */
  public void add(PackedRow row) {
    requireOpen();
    rows++;
    minCommitId = Math.min(minCommitId, row.commitId());
    maxCommitId = Math.max(maxCommitId, row.commitId());
    next.add(row);
    nextBytes +=
        PackedRow.length(
            row.bytes(), PackedRow.part(row.bytes(), row.at(), layout.identityParts()));
    if (next.size() >= groupRows() || nextBytes >= GROUP_BYTES) {
      encode();
    }
  }

  private long groupRows() {
    if (until.isEmpty()) {
      return GROUP_ROWS;
    }
    long before = rows - next.size();
    return Math.min(GROUP_ROWS, Math.max(GROUP_OF_VERSIONS, before / 4));
  }

  private void encode() {
    PackedRows group = next;
    next = new PackedRows();
    nextBytes = 0;
    encoding.add(() -> encoded(group, FileSizeClass.LARGE));
  }

  private RowGroupWriter encoded(PackedRows group, FileSizeClass size) {
    RowGroupWriter writer = new RowGroupWriter(layout, size);
    writer.write(group);
    return writer.finish();
  }

  private void requireStorable(Identity identity) {
    boolean whole;
    if (identity instanceof EntityKey entity && layout.type().id().kind() == TypeKind.ENTITY) {
      whole = Utf8.canHold(entity.key());
    } else if (identity instanceof RelationKey relation
        && layout.type().id().kind() == TypeKind.RELATION) {
      whole =
          Utf8.canHold(relation.left())
              && Utf8.canHold(relation.right())
              && Utf8.canHold(relation.instance());
    } else {
      throw new IllegalArgumentException(
          "a row with the identity " + identity + " isn't one of " + layout.type().id());
    }
    if (!whole) {
      throw new InvalidValueException(
          "the key "
              + CanonicalJson.write(TextNode.valueOf(identity.toString()))
              + " of "
              + layout.type().id()
              + " has half of a surrogate pair; take whole characters");
    }
  }

  private void write(RowGroupWriter complete) {
    try {
      groups.add(complete.writeTo(hashingOutputStream));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Completes the file. The writer takes no more rows, and closing it doesn't harm the file. */
  public RowFile finish() {
    requireOpen();
    boolean small = rows == next.size() && rows <= SMALL_ROWS && nextBytes <= SMALL_BYTES;
    if (small && rows > 0) {
      write(encoded(next, FileSizeClass.SMALL)); // no work to share
    } else if (!next.isEmpty()) {
      encode();
    }
    encoding.finish();
    try {
      if (until.isPresent()) {
        append(until.get(), small ? FileSizeClass.SMALL : FileSizeClass.LARGE);
      }
      FooterWriter.write(
          until.isPresent() ? layout.columnsOfVersions() : layout.columns(),
          groups,
          hashingOutputStream);
      String sha256 = hashingOutputStream.finish();
      ended = true;
      return new RowFile(
          rows, rows == 0 ? 0 : minCommitId, rows == 0 ? 0 : maxCommitId, sha256, target.body());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Appends the column {@link FileColumns#UNTIL} behind all groups, since the version after a row
   * is known only when all rows have come. Each group says in the footer where its part is.
   */
  private void append(LongUnaryOperator values, FileSizeClass size) throws IOException {
    ColumnDescriptor column =
        layout.columnsOfVersions().getColumnDescription(new String[] {FileColumns.UNTIL});
    long row = 0;
    for (RowGroup group : groups) {
      ColumnEncoder encoder =
          new ColumnEncoder(column, size, FileLayout.EncodingOptions.of(column));
      for (long end = row + group.getNum_rows(); row < end; row++) {
        encoder.whole(values.applyAsLong(row));
      }
      ColumnChunk written = encoder.finish().writeTo(hashingOutputStream);
      group.addToColumns(written);
      ColumnMetaData meta = written.getMeta_data();
      group.setTotal_byte_size(group.getTotal_byte_size() + meta.getTotal_uncompressed_size());
      group.setTotal_compressed_size(
          group.getTotal_compressed_size() + meta.getTotal_compressed_size());
    }
  }

  /** Gives up a file that isn't finished. */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    encoding.close();
    try {
      hashingOutputStream.close();
      target.discard();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("the file is finished or given up; open another writer");
    }
  }

  private static UncheckedIOException failed(IOException e) {
    return new UncheckedIOException(
        "can't write a file of rows: " + e.getMessage() + "; look at the disk it is on", e);
  }
}
