// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.RowGroup;

/** Writer of one group of rows, column by column; holds the group in memory until it ends. */
final class RowGroupWriter {

  private final int identityParts;
  private final byte[] typeName;
  private final List<ColumnEncoder> columns = new ArrayList<>();
  private final TypedColumnWriter typed;
  private final List<ColumnPages> finished = new ArrayList<>();
  private int rows;

  RowGroupWriter(FileLayout layout, FileSizeClass size) {
    this.identityParts = layout.identityParts();
    this.typeName = layout.type().id().name().getBytes(StandardCharsets.UTF_8);
    for (ColumnDescriptor column : layout.descriptors()) {
      columns.add(new ColumnEncoder(column, size, FileLayout.EncodingOptions.of(column)));
    }
    int firstTyped = layout.columns().getFieldIndex(FileLayout.FIELDS_JSON) + 1;
    this.typed = new TypedColumnWriter(layout.typed(), columns.subList(firstTyped, columns.size()));
  }

  /** Takes all rows of the group, a column at a time, which keeps the processor's caches warm. */
  void write(PackedRows group) {
    rows = group.size();
    ColumnEncoder commit = columns.get(0);
    for (int i = 0; i < rows; i++) {
      commit.whole(group.commitId(i));
    }
    for (int i = 0; i < rows; i++) {
      columns.get(1).text(typeName, 0, typeName.length);
    }
    for (int part = 0; part < identityParts; part++) {
      writeIdentity(group, part);
    }
    ColumnEncoder version = columns.get(identityParts + 2);
    for (int i = 0; i < rows; i++) {
      if (group.schemaVersionId(i) == 0) {
        version.none();
      } else {
        version.whole(group.schemaVersionId(i));
      }
    }
    ColumnEncoder json = columns.get(identityParts + 3);
    for (int i = 0; i < rows; i++) {
      byte[] bytes = group.bytes(i);
      int at = group.part(i, identityParts);
      int end = PackedRow.next(bytes, at);
      json.text(bytes, at + Integer.BYTES, end);
      typed.write(bytes, at + Integer.BYTES, end);
    }
  }

  private void writeIdentity(PackedRows group, int part) {
    ColumnEncoder column = columns.get(part + 2);
    for (int i = 0; i < rows; i++) {
      byte[] bytes = group.bytes(i);
      int at = group.part(i, part);
      column.text(bytes, at + Integer.BYTES, PackedRow.next(bytes, at));
    }
  }

  /** Does what is left to do before the group can be written; no row can be added after it. */
  RowGroupWriter finish() {
    columns.forEach(column -> finished.add(column.finish()));
    columns.clear();
    return this;
  }

  /** Appends the finished group to a file and describes it for its footer. */
  RowGroup writeTo(HashingOutputStream hashingOutputStream) throws IOException {
    long start = hashingOutputStream.position();
    List<ColumnChunk> written = new ArrayList<>();
    long plainBytes = 0;
    for (ColumnPages column : finished) {
      ColumnChunk described = column.writeTo(hashingOutputStream);
      plainBytes += described.getMeta_data().getTotal_uncompressed_size();
      written.add(described);
    }
    return new RowGroup(written, plainBytes, rows)
        .setFile_offset(start)
        .setTotal_compressed_size(hashingOutputStream.position() - start);
  }
}
