// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Files of rows for a draft: in memory, and on the disk if they would take more than a sixteenth of
 * the heap.
 */
public final class DraftFiles implements AutoCloseable {

  private static final long LEAST_IN_MEMORY = 16 << 20;
  private static final long MOST_IN_MEMORY = 512 << 20;
  private static final int SHARE = 16;
  private static final long IN_MEMORY =
      Math.max(LEAST_IN_MEMORY, Math.min(MOST_IN_MEMORY, Runtime.getRuntime().maxMemory() / SHARE));

  private final List<ScratchFile> files = new ArrayList<>();

  /** Returns all facts of a type in a queue, as rows of one commit. */
  public Draft.Part part(
      WriteBuffer queue, SchemaResolver.CurrentSchema currentSchema, long commitId) {
    TypeId type = currentSchema.schema().id();
    try (RowWriter writer = writer(currentSchema.schema(), queue.bytes())) {
      Iterator<Fact> facts = queue.sorted(type);
      while (facts.hasNext()) {
        Fact fact = facts.next();
        writer.add(
            new Row(commitId, fact.identity(), currentSchema.versionId(), fact.fieldsJson()));
      }
      return new Draft.Part(type, writer.finish(), currentSchema.versionId());
    }
  }

  /** Returns a writer of rows of about this number of bytes. */
  RowWriter writer(TypeSchema schema, long bytes) {
    if (bytes <= IN_MEMORY) {
      return RowWriter.toMemory(schema);
    }
    try {
      ScratchFile file = new ScratchFile();
      files.add(file);
      return RowWriter.toScratch(schema, file);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "there is no room on the disk for what is to be committed; make room in the directory for"
              + " temporary files, or commit in smaller parts",
          e);
    }
  }

  /** Discards the files. */
  @Override
  public void close() {
    files.forEach(ScratchFile::close);
    files.clear();
  }
}
