// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.commit.Attempts;
import io.tidemark.ledger.internal.commit.IndexKeeper;
import io.tidemark.ledger.internal.parquet.RowFile;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.TypeFiles;
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
 * looked before; see {@link Superseded}. A crash leaves at worst a snapshot that nobody refers to.
 */
public final class Compaction {

  /** How many names for a snapshot are tried when somebody has that very one. */
  private static final int NAMES = 3;

  private final LedgerObjects objects;
  private final Chain chain;
  private final Heads heads;
  private final Catalog catalog;
  private final TypeFiles files;

  public Compaction(LedgerObjects objects, Chain chain, Heads heads, Catalog catalog) {
    this.objects = objects;
    this.chain = chain;
    this.heads = heads;
    this.catalog = catalog;
    this.files = new TypeFiles(objects, chain);
  }

  /** What is to be done for all types. */
  public Plan plan(Extent extent) {
    Base base = heads.refresh();
    return plan(base, catalog.types(base), extent);
  }

  /** What is to be done for these types. */
  public Plan plan(Extent extent, Collection<TypeId> types) {
    return plan(heads.refresh(), types, extent);
  }

  private Plan plan(Base base, Collection<TypeId> types, Extent extent) {
    List<Merge> merges = new ArrayList<>();
    if (base.newest().isPresent()) {
      Optional<String> epoch = base.head().epoch();
      Manifest newest = base.newest().get();
      for (TypeId type : types) {
        TypeIndex index = files.trusted(type, epoch, newest).orElse(TypeIndex.none(type, epoch));
        merges.addAll(merges(files.counted(files.broughtUp(index, newest), newest), extent));
      }
    }
    return new Plan(base.head().commitId(), merges);
  }

  /** What is to be done with the files of an index. */
  static List<Merge> merges(TypeIndex index, Extent extent) {
    List<Entry> entries = index.entries();
    if (extent == Extent.ALL) {
      return entries.size() < 2 ? List.of() : List.of(new Merge(index.type(), entries));
    }
    // A file nobody says the rows of counts as small, and is known better once it is merged.
    List<Long> rows = entries.stream().map(entry -> entry.rowCount().orElse(0)).toList();
    return Tiers.of(extent).runs(rows).stream()
        .map(run -> new Merge(index.type(), entries.subList(run.first(), run.last() + 1)))
        .toList();
  }

  /**
   * Does what was planned, one merge after the other.
   *
   * @throws io.tidemark.ledger.store.CorruptLedgerException when an index or a file contradicts the
   *     chain; merges before that are done
   */
  public List<Outcome> run(Plan plan, Progress progress) {
    return plan.merges().stream().map(merge -> run(merge, progress)).toList();
  }

  private Outcome run(Merge merge, Progress progress) {
    Base base = heads.refresh();
    Optional<TypeSchema> schema =
        catalog
            .current(merge.type(), base)
            .map(version -> StoredSchema.parse(version.schemaJson()).schema());
    if (schema.isEmpty() || base.head().commitId() < merge.maxCommitId()) {
      return new Outcome.Overtaken(merge); // dropped, or initialised anew
    }
    Manifest newest = base.newest().orElseThrow();
    long previous = new SoundRun(objects, files, newest, merge.type()).check(merge.inputs());
    TypeFiles.Resolved from = files.sources(newest, merge.type(), merge.inputs());
    SnapshotWriter writer = new SnapshotWriter(objects, merge, progress);
    try (SnapshotWriter.Snapshot snapshot = writer.write(from, schema.get())) {
      return publish(merge, store(merge, snapshot.file(), previous), base);
    }
  }

  private Entry store(Merge merge, RowFile file, long previous) {
    for (int i = 0; i < NAMES; i++) {
      String path =
          Layout.snapshot(merge.type(), merge.minCommitId(), merge.maxCommitId(), Attempts.next());
      try {
        if (objects.put(path, file.body(), Condition.ifAbsent()).written()) {
          return Entry.ofSnapshot(path, file, previous);
        }
      } catch (OutcomeUnknownException e) {
        throw new StoreUnavailableException(
            path + " couldn't be written for certain; nothing was compacted: try again", e);
      }
    }
    throw objects.corrupt(Layout.SNAPSHOTS, "has each name that is chosen at random already");
  }

  private Outcome publish(Merge merge, Entry snapshot, Base base) {
    // Before the index is written, so that a crash can't leave one that is superseded and not
    // noted.
    merge.inputs().stream()
        .filter(input -> !input.isOfOneCommit())
        .forEach(input -> note(input.path(), snapshot.path()));
    Optional<TypeIndex> written =
        new IndexKeeper(objects, chain).replace(merge.inputs(), snapshot, merge.type(), base);
    if (written.isPresent()) {
      return new Outcome.Merged(merge, snapshot);
    }
    return new Outcome.Overtaken(merge);
  }

  private void note(String superseded, String by) {
    objects.write(
        Layout.supersededNote(superseded),
        CanonicalJson.object()
            .put("superseded_by", by)
            .put("superseded_at", UtcTimestamp.format(objects.store().clock().instant())),
        Condition.none());
  }
}
