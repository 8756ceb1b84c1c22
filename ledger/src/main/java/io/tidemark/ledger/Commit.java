// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.schema.TypeId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Commit as its manifest describes it.
 *
 * @param id number of the commit, counted from 1 without gaps
 * @param operations number of rows that it wrote
 * @param types the types that it wrote rows of, or dropped
 * @param path path of its manifest; two commits of the same id are equal exactly if their paths are
 * @param outboxSize number of documents in its outbox, which {@link CommitLog#outbox} reads
 */
public record Commit(
    long id,
    Instant createdAt,
    String runtimeId,
    ObjectNode metadata,
    long operations,
    List<DataFile> files,
    SortedSet<TypeId> types,
    String path,
    int outboxSize) {

  public Commit {
    metadata = metadata.deepCopy();
    files = List.copyOf(files);
    types = Collections.unmodifiableSortedSet(new TreeSet<>(types));
  }

  static Commit of(CommittedManifest committedManifest) {
    Manifest manifest = committedManifest.manifest();
    return new Commit(
        manifest.commitId(),
        manifest.createdAt(),
        manifest.runtimeId(),
        manifest.metadata(),
        manifest.rowCount(),
        manifest.files(),
        manifest.touched(),
        committedManifest.path(),
        manifest.outboxSize());
  }
}
