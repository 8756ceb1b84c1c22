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
 * A commit as its manifest tells it.
 *
 * @param id counts from 1 without gaps
 * @param operations how many rows it wrote
 * @param types those it wrote rows of, or dropped
 * @param path where its manifest is; two commits of the same id are one exactly if it is the same
 * @param outboxSize how many documents it carries for others, which {@link CommitLog#outbox} reads
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
