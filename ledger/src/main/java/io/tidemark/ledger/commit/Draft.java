// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.parquet.RowFile;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Committed;
import io.tidemark.ledger.store.Manifest.Link;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.ledger.store.SchemaVersion;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a commit is to consist of.
 *
 * @param files the rows it writes, at most one file a type
 * @param schemas schemas that become current with it
 * @param dropped types that end with it, each with the last version its schema had
 * @param applied called once it is real; mustn't fail
 * @param merged what it has taken in of other branches; empty for what its parent had
 * @param outbox what it carries for others
 * @param forward a commit of another branch that the head is to move to, instead of a new one
 */
public record Draft(
    List<Part> files,
    ObjectNode metadata,
    List<SchemaVersion> schemas,
    SortedMap<TypeId, Long> dropped,
    Runnable applied,
    Optional<List<Link>> merged,
    Outbox outbox,
    Optional<Committed> forward) {

  public Draft {
    files = List.copyOf(files);
    schemas = List.copyOf(schemas);
    dropped = Collections.unmodifiableSortedMap(new TreeMap<>(dropped));
    merged = merged.map(List::copyOf);
  }

  /** A commit that is of one branch only. */
  public Draft(
      List<Part> files,
      ObjectNode metadata,
      List<SchemaVersion> schemas,
      SortedMap<TypeId, Long> dropped,
      Runnable applied) {
    this(
        files,
        metadata,
        schemas,
        dropped,
        applied,
        Optional.empty(),
        Outbox.none(),
        Optional.empty());
  }

  /** A commit that takes in rows of another branch. */
  public static Draft merging(List<Part> files, ObjectNode metadata, List<Link> merged) {
    return new Draft(
        files,
        metadata,
        List.of(),
        new TreeMap<>(),
        () -> {},
        Optional.of(merged),
        Outbox.none(),
        Optional.empty());
  }

  /** No new commit: the head moves on to one that is there, and is based on it. */
  public static Draft forward(Committed commit, Runnable applied) {
    return new Draft(
        List.of(),
        CanonicalJson.object(),
        List.of(),
        new TreeMap<>(),
        applied,
        Optional.empty(),
        Outbox.none(),
        Optional.of(commit));
  }

  /** The same with something for others. */
  Draft carrying(Outbox other) {
    return new Draft(files, metadata, schemas, dropped, applied, merged, other, forward);
  }

  /** The rows of one type. */
  public record Part(TypeId type, RowFile rows, long schemaVersionId) {}
}
