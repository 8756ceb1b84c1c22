// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.parquet.RowFile;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Outbox;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Draft of a head's next step: a new commit, or a fast-forward to a commit of another branch. */
public sealed interface Draft {

  /** Returns the action that follows once the head has moved; it must not fail. */
  Runnable applied();

  /** Drafts a commit of rows that carries outbox documents. */
  static Draft ofRows(
      List<Part> files, Reconciler.CommitAnnotations commitAnnotations, Runnable applied) {
    return new NewCommit(
        files,
        commitAnnotations.metadata(),
        List.of(),
        Collections.emptySortedMap(),
        Optional.empty(),
        commitAnnotations.outbox(),
        applied);
  }

  /** Drafts a commit that rewrites rows and makes schemas current. */
  static Draft ofMigration(
      List<Part> files, ObjectNode metadata, List<SchemaVersion> schemas, Runnable applied) {
    return new NewCommit(
        files,
        metadata,
        schemas,
        Collections.emptySortedMap(),
        Optional.empty(),
        Outbox.none(),
        applied);
  }

  /**
   * Drafts a commit that drops types.
   *
   * @param dropped the types, each with the last version its schema had
   */
  static Draft ofDrop(ObjectNode metadata, SortedMap<TypeId, Long> dropped, Runnable applied) {
    return new NewCommit(
        List.of(), metadata, List.of(), dropped, Optional.empty(), Outbox.none(), applied);
  }

  /** Drafts a commit that merges rows of another branch. */
  static Draft ofMerge(List<Part> files, ObjectNode metadata, List<Link> merged) {
    return new NewCommit(
        files,
        metadata,
        List.of(),
        Collections.emptySortedMap(),
        Optional.of(merged),
        Outbox.none(),
        () -> {});
  }

  /**
   * Draft of a new commit.
   *
   * @param files the rows it writes, at most one file per type
   * @param schemas schemas that become current with it
   * @param dropped types that are dropped with it, each with the last version its schema had
   * @param merged the newest commits of other branches that it has merged; empty for those of its
   *     parent
   */
  record NewCommit(
      List<Part> files,
      ObjectNode metadata,
      List<SchemaVersion> schemas,
      SortedMap<TypeId, Long> dropped,
      Optional<List<Link>> merged,
      Outbox outbox,
      Runnable applied)
      implements Draft {

    public NewCommit {
      files = List.copyOf(files);
      schemas = List.copyOf(schemas);
      dropped = Collections.unmodifiableSortedMap(new TreeMap<>(dropped));
      merged = merged.map(List::copyOf);
    }
  }

  /** Draft that moves the head to a commit that is based on it. */
  record FastForward(CommittedManifest commit, Runnable applied) implements Draft {}

  /** Rows of one type. */
  record Part(TypeId type, RowFile rows, long schemaVersionId) {}
}
