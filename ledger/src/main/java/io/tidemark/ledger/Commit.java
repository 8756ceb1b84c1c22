// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.store.DataFile;
import io.tidemark.ledger.store.Manifest;
import java.time.Instant;
import java.util.List;

/**
 * A commit as its manifest tells it.
 *
 * @param id counts from 1 without gaps
 * @param operations how many rows it wrote
 */
public record Commit(
    long id,
    Instant createdAt,
    String runtimeId,
    ObjectNode metadata,
    long operations,
    List<DataFile> files) {

  public Commit {
    metadata = metadata.deepCopy();
    files = List.copyOf(files);
  }

  static Commit of(Manifest manifest) {
    return new Commit(
        manifest.commitId(),
        manifest.createdAt(),
        manifest.runtimeId(),
        manifest.metadata(),
        manifest.rowCount(),
        manifest.files());
  }
}
