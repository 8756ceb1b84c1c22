// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.commit.AttemptIds;
import io.tidemark.ledger.internal.commit.IndexUpdater;
import io.tidemark.ledger.internal.parquet.RowFile;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.Condition;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Compaction of the rows of many commits into one file, a snapshot, which the index then names
 * instead.
 *
 * <p>Every version of every row stays, so every query answers as before, of any time. Existing
 * files aren't touched: a snapshot is a new object, and the files of commits stay, since manifests
 * name them. Only the index of the type changes, by one write on condition that it is still the one
 * that was read. So no lock is taken, and commits go on meanwhile; their additions to the index are
 * kept. If the merged files aren't in the index any more by then, because another process has
 * compacted or dropped the type, nothing is written.
 *
 * <p>New readers don't need snapshots that were merged into another, but earlier readers may; see
 * {@link ObsoleteSnapshots}. A crash leaves at worst an unreferenced snapshot.
 */
public final class Compaction {

  /** Maximum number of snapshot names to try when another snapshot has the name. */
  private static final int NAMES = 3;

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final HeadCache headCache;
  private final Catalog catalog;
  private final TypeFileResolver files;

  public Compaction(
      LedgerObjects objects, ManifestChain manifestChain, HeadCache headCache, Catalog catalog) {
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.headCache = headCache;
    this.catalog = catalog;
    this.files = new TypeFileResolver(objects, manifestChain);
  }

  /** Returns the plan for all types. */
  public CompactionPlan plan(CompactionScope compactionScope) {
    PinnedHead pinnedHead = headCache.refresh();
    return plan(pinnedHead, catalog.types(pinnedHead), compactionScope);
  }

  /** Returns the plan for these types. */
  public CompactionPlan plan(CompactionScope compactionScope, Collection<TypeId> types) {
    return plan(headCache.refresh(), types, compactionScope);
  }

  private CompactionPlan plan(
      PinnedHead pinnedHead, Collection<TypeId> types, CompactionScope compactionScope) {
    List<FileMerge> merges = new ArrayList<>();
    if (pinnedHead.newest().isPresent()) {
      Optional<String> epoch = pinnedHead.head().epoch();
      Manifest newest = pinnedHead.newest().get();
      for (TypeId type : types) {
        TypeIndex index =
            files.usableIndex(type, epoch, newest).orElse(TypeIndex.none(type, epoch));
        merges.addAll(
            merges(files.withRowCounts(files.advanced(index, newest), newest), compactionScope));
      }
    }
    return new CompactionPlan(pinnedHead.head().commitId(), merges);
  }

  /** Returns the merges of the files of an index. */
  static List<FileMerge> merges(TypeIndex index, CompactionScope compactionScope) {
    List<Entry> entries = index.entries();
    if (compactionScope == CompactionScope.ALL) {
      return entries.size() < 2 ? List.of() : List.of(new FileMerge(index.type(), entries));
    }
    // A file with an unknown number of rows counts as small; once merged, the number is known.
    List<Long> rows = entries.stream().map(entry -> entry.rowCount().orElse(0)).toList();
    return TieredMergePolicy.of(compactionScope).runs(rows).stream()
        .map(run -> new FileMerge(index.type(), entries.subList(run.first(), run.last() + 1)))
        .toList();
  }

  /**
   * Carries out a plan, one merge after the other.
   *
   * @throws io.tidemark.ledger.store.CorruptLedgerException when an index or a file contradicts the
   *     chain; merges before that are done
   */
  public List<CompactionOutcome> run(
      CompactionPlan compactionPlan, CompactionListener compactionListener) {
    return compactionPlan.merges().stream()
        .map(fileMerge -> run(fileMerge, compactionListener))
        .toList();
  }

  private CompactionOutcome run(FileMerge fileMerge, CompactionListener compactionListener) {
    PinnedHead pinnedHead = headCache.refresh();
    Optional<TypeSchema> schema =
        catalog
            .current(fileMerge.type(), pinnedHead)
            .map(version -> StoredSchema.parse(version.schemaJson()).schema());
    if (schema.isEmpty() || pinnedHead.head().commitId() < fileMerge.maxCommitId()) {
      return new CompactionOutcome.Stale(fileMerge); // dropped, or initialised anew
    }
    Manifest newest = pinnedHead.newest().orElseThrow();
    long previous =
        new CompactionInputCheck(objects, files, newest, fileMerge.type())
            .check(fileMerge.inputs());
    TypeFileResolver.ResolvedFiles from =
        files.sources(newest, fileMerge.type(), fileMerge.inputs());
    SnapshotWriter writer = new SnapshotWriter(objects, fileMerge, compactionListener);
    try (SnapshotWriter.Snapshot snapshot = writer.write(from, schema.get())) {
      return publish(fileMerge, store(fileMerge, snapshot.file(), previous), pinnedHead);
    }
  }

  private Entry store(FileMerge fileMerge, RowFile file, long previous) {
    for (int i = 0; i < NAMES; i++) {
      String path =
          LedgerLayout.snapshot(
              fileMerge.type(),
              fileMerge.minCommitId(),
              fileMerge.maxCommitId(),
              AttemptIds.next());
      try {
        if (objects.put(path, file.body(), Condition.ifAbsent()).written()) {
          return Entry.ofSnapshot(path, file, previous);
        }
      } catch (OutcomeUnknownException e) {
        throw new StoreUnavailableException(
            path + " couldn't be written for certain; nothing was compacted: try again", e);
      }
    }
    throw objects.corrupt(LedgerLayout.SNAPSHOTS, "has each name that is chosen at random already");
  }

  private CompactionOutcome publish(FileMerge fileMerge, Entry snapshot, PinnedHead pinnedHead) {
    // Before the index is written, so that a crash can't leave one that is superseded and not
    // noted.
    fileMerge.inputs().stream()
        .filter(input -> !input.isOfOneCommit())
        .forEach(input -> note(input.path(), snapshot.path()));
    Optional<TypeIndex> written =
        new IndexUpdater(objects, manifestChain)
            .replace(fileMerge.inputs(), snapshot, fileMerge.type(), pinnedHead);
    if (written.isPresent()) {
      return new CompactionOutcome.Merged(fileMerge, snapshot);
    }
    return new CompactionOutcome.Stale(fileMerge);
  }

  private void note(String superseded, String by) {
    objects.write(
        LedgerLayout.supersededNote(superseded),
        CanonicalJson.object()
            .put("superseded_by", by)
            .put("superseded_at", UtcTimestamp.format(objects.store().clock().instant())),
        Condition.none());
  }
}
