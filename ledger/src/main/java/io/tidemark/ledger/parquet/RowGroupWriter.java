// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import io.tidemark.ledger.Identity.EntityKey;
import io.tidemark.ledger.Identity.RelationKey;
import io.tidemark.ledger.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.io.api.Binary;

/** Rows that are written column by column as one group, held in memory until then. */
final class RowGroupWriter {

  private static final int NULL = 0;
  private static final int VALUE = 1;

  private final FileLayout layout;
  private final Binary typeName;
  private final Map<ColumnDescriptor, ChunkPages> chunks = new LinkedHashMap<>();
  private final ColumnWriteStore columns;
  private final List<ColumnWriter> system;
  private final List<ColumnWriter> typed;
  private long rows;
  private long payloadBytes;

  RowGroupWriter(FileLayout layout, FileSize size) {
    this.layout = layout;
    this.typeName = Utf8.of(layout.type().id().name());
    List<ColumnWriter> writers = new ArrayList<>();
    for (ColumnDescriptor column : layout.descriptors()) {
      chunks.put(column, new ChunkPages(column, size));
    }
    this.columns = layout.encoding(size).newColumnWriteStore(layout.columns(), chunks::get);
    for (ColumnDescriptor column : layout.descriptors()) {
      writers.add(columns.getColumnWriter(column));
    }
    int firstTyped = layout.columns().getFieldIndex(FileLayout.FIELDS_JSON) + 1;
    this.system = writers.subList(0, firstTyped);
    this.typed = writers.subList(firstTyped, writers.size());
  }

  void add(Row row) {
    int next = 0;
    system.get(next++).write(row.commitId(), 0, 0);
    system.get(next++).write(typeName, 0, 0);
    if (row.identity() instanceof EntityKey entity) {
      system.get(next++).write(Utf8.of(entity.key()), 0, 0);
    } else if (row.identity() instanceof RelationKey relation) {
      system.get(next++).write(Utf8.of(relation.left()), 0, 0);
      system.get(next++).write(Utf8.of(relation.right()), 0, 0);
      system.get(next++).write(Utf8.of(relation.instance()), 0, 0);
    }
    ColumnWriter version = system.get(next++);
    if (row.schemaVersionId() == 0) {
      version.writeNull(0, NULL);
    } else {
      version.write(row.schemaVersionId(), 0, VALUE);
    }
    byte[] payload = row.fieldsJson().getBytes(StandardCharsets.UTF_8);
    system.get(next).write(Binary.fromConstantByteArray(payload), 0, 0);
    layout.typed().write(payload, typed);
    columns.endRecord();
    rows++;
    payloadBytes += payload.length;
  }

  long rows() {
    return rows;
  }

  /** About half of what is held in memory, or more. */
  long payloadBytes() {
    return payloadBytes;
  }

  /** Appends the group to a file and describes it for its footer. */
  RowGroup writeTo(Sink sink) throws IOException {
    long start = sink.position();
    columns.flush();
    List<ColumnChunk> written = new ArrayList<>();
    long plainBytes = 0;
    for (ChunkPages chunk : chunks.values()) {
      ColumnChunk described = chunk.writeTo(sink);
      plainBytes += described.getMeta_data().getTotal_uncompressed_size();
      written.add(described);
    }
    columns.close();
    return new RowGroup(written, plainBytes, rows)
        .setFile_offset(start)
        .setTotal_compressed_size(sink.position() - start);
  }
}
