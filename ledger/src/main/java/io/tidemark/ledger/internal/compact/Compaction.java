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
 * Puts the rows of many commits into one file, a snapshot, and has the index name that instead.
 *
 * <p>Every version of every row stays, so every query answers as before, of any time. What is there
 * already isn't touched: a snapshot is a new object, and the files of commits stay, since manifests
 * name them. The only thing that changes is the index of the type, by one write on condition that
 * it is still the one that was read. So no lock is taken, and commits go on meanwhile; whatever
 * they add to the index is there when it is written. If the files that were merged aren't in the
 * index any more by then, because somebody else has compacted or dropped the type, nothing is
 * written.
 *
 * <p>Snapshots that were merged into another aren't needed by who looks now, but may be by who
 * looked before; see {@link ObsoleteSnapshots}. A crash leaves at worst a snapshot that nobody
 * refers to.
 */
public final class Compaction {

  /** How many names for a snapshot are tried when somebody has that very one. */
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

  /** What is to be done for all types. */
  public CompactionPlan plan(CompactionScope compactionScope) {
    PinnedHead pinnedHead = headCache.refresh();
    return plan(pinnedHead, catalog.types(pinnedHead), compactionScope);
  }

  /** What is to be done for these types. */
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

  /** What is to be done with the files of an index. */
  static List<FileMerge> merges(TypeIndex index, CompactionScope compactionScope) {
    List<Entry> entries = index.entries();
    if (compactionScope == CompactionScope.ALL) {
      return entries.size() < 2 ? List.of() : List.of(new FileMerge(index.type(), entries));
    }
    // A file nobody says the rows of counts as small, and is known better once it is merged.
    List<Long> rows = entries.stream().map(entry -> entry.rowCount().orElse(0)).toList();
    return TieredMergePolicy.of(compactionScope).runs(rows).stream()
        .map(run -> new FileMerge(index.type(), entries.subList(run.first(), run.last() + 1)))
        .toList();
  }

  /**
   * Does what was planned, one merge after the other.
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
