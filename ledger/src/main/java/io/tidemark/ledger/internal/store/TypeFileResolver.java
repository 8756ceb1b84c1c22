// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Resolver of the files that hold a type's rows of a range of commits: by the index, and by the
 * chain for commits that the index doesn't cover or gets wrong.
 */
public final class TypeFileResolver {

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;

  public TypeFileResolver(LedgerObjects objects, ManifestChain manifestChain) {
    this.objects = objects;
    this.manifestChain = manifestChain;
  }

  /**
   * File to be read, rows of commits outside of the range to be left out.
   *
   * @param sha256 of its bytes, when the index or the manifest has it
   * @param bytes how many it has; empty when its writer didn't say
   */
  public record Source(
      long min, long max, String path, Optional<String> sha256, OptionalLong bytes) {

    /** Returns whether it is a snapshot, for which the files of its commits can stand in. */
    public boolean isSnapshot() {
      return min < max;
    }
  }

  /**
   * Result of a search for files.
   *
   * @param lowerExclusive rows up to this commit don't count: the bound that was asked for, or the
   *     commit that dropped the type when that came later
   * @param warning that the index was no good, and why; empty when it was
   * @param commits finds the files of a snapshot's commits, for when it is gone or damaged
   */
  public record ResolvedFiles(
      List<Source> sources,
      long lowerExclusive,
      Optional<String> warning,
      Function<Source, List<Source>> commits) {

    /** Creates a result without snapshots. */
    public ResolvedFiles(List<Source> sources, long lowerExclusive, Optional<String> warning) {
      this(sources, lowerExclusive, warning, snapshot -> List.of());
    }
  }

  /**
   * Returns the index of a type, if it is of use. One without a checksum is of another program,
   * which may have left out a commit: what it says of single commits is replaced by what the chain
   * says.
   *
   * @param newest the newest commit that is asked about
   */
  public Optional<TypeIndex> usableIndex(TypeId type, Optional<String> epoch, Manifest newest) {
    return index(type, epoch).map(index -> checked(index, newest));
  }

  /** Returns an index that was read already, with its holes filled if it has no seal. */
  public TypeIndex checked(TypeIndex index, Manifest newest) {
    if (index.isSealed()) {
      return index;
    }
    long upTo = Math.min(index.maxIndexedCommit(), newest.commitId());
    long last = Math.min(upTo, newest.lastTouch(index.type()));
    return index.correctedBy(
        last < 1 ? List.of() : walk(newest, index.type(), last, 0).entries, upTo);
  }

  /** Returns the index of a type as it is stored, if it can be read. */
  public Optional<TypeIndex> index(TypeId type, Optional<String> epoch) {
    return objects
        .get(LedgerLayout.index(type))
        .flatMap(found -> TypeIndex.read(type, epoch, found.bytes()));
  }

  /**
   * Finds files.
   *
   * @param newest the newest commit, as of which is asked
   * @param index what is known of the type's files
   */
  public ResolvedFiles resolve(Manifest newest, TypeIndex index, long lowerExclusive, long upper) {
    TypeId type = index.type();
    long floor = newest.type(type).floor();
    long lower = Math.max(lowerExclusive, floor);
    long last = newest.lastTouch(type);
    if (Math.min(last, upper) <= lower) {
      return new ResolvedFiles(List.of(), lower, Optional.empty());
    }
    boolean later = newest.hasTypes() && index.lacks(last);
    long covered = later ? 0 : Math.min(index.maxIndexedCommit(), newest.commitId());
    Optional<String> warning = Optional.empty();
    if (contradicts(newest, index)) {
      covered = Math.min(covered, newest.commitId() - 1);
      warning = Optional.of("index latest coverage mismatch for " + type + "; using the manifest");
    } else if (covered < last) {
      warning = Optional.of("index lag detected for " + type + "; using manifest fallback");
    }
    long limit = covered;
    List<Source> sources = new ArrayList<>();
    index.entries().stream()
        .filter(entry -> entry.intersects(lower, upper) && entry.min() <= limit)
        .map(entry -> source(type, entry))
        .forEach(sources::add);
    long start = lower;
    if (covered < last) {
      Walk walk = walk(newest, type, last, Math.max(covered, lower));
      walk.files.stream().filter(file -> file.min() <= upper).forEach(sources::add);
      start = Math.max(start, walk.floor);
    }
    long from = start;
    sources.removeIf(source -> source.max() <= from);
    sources.sort(Comparator.comparingLong(Source::min));
    return new ResolvedFiles(sources, from, warning, snapshot -> commits(newest, type, snapshot));
  }

  /** Returns the files of an index as they are to be read, such as the inputs of a snapshot. */
  public ResolvedFiles sources(Manifest newest, TypeId type, List<Entry> entries) {
    return new ResolvedFiles(
        entries.stream().map(entry -> source(type, entry)).toList(),
        0,
        Optional.empty(),
        snapshot -> commits(newest, type, snapshot));
  }

  private List<Source> commits(Manifest newest, TypeId type, Source snapshot) {
    long last = Math.min(snapshot.max(), newest.commitId()); // it may be newer than the reader
    Walk walk = walk(newest, type, last, snapshot.min() - 1);
    Collections.reverse(walk.files);
    return walk.files;
  }

  /** Returns whether the newest commit has rows of the type and the index says otherwise. */
  private static boolean contradicts(Manifest newest, TypeIndex index) {
    Optional<DataFile> file = newest.file(index.type());
    if (file.isEmpty() || index.maxIndexedCommit() < newest.commitId()) {
      return false;
    }
    return index.entries().stream()
        .filter(entry -> entry.covers(newest.commitId()))
        .noneMatch(entry -> !entry.isOfOneCommit() || entry.path().equals(file.get().path()));
  }

  /** Returns the file of an entry. If another program wrote no hash there, the manifest has it. */
  private Source source(TypeId type, Entry entry) {
    Optional<String> hash = entry.sha256();
    if (hash.isEmpty() && entry.isOfOneCommit()) {
      hash =
          LedgerLayout.manifestOf(entry.path(), type)
              .flatMap(manifestChain::findByPath)
              .flatMap(manifest -> manifest.file(type))
              .filter(file -> file.path().equals(entry.path()))
              .flatMap(DataFile::sha256);
    }
    return new Source(entry.min(), entry.max(), entry.path(), hash, entry.sizeBytes());
  }

  /**
   * Returns the files of a type in commits after {@code covered}, from the last one that touched it
   * back.
   */
  public List<Entry> gap(Manifest newest, TypeId type, long covered) {
    long last = newest.lastTouch(type);
    return last <= covered ? List.of() : walk(newest, type, last, covered).entries;
  }

  /**
   * Returns the files of a type in commits after the lower and up to the upper one, the oldest
   * first.
   */
  public List<Entry> between(Manifest newest, TypeId type, long lowerExclusive, long upper) {
    List<Entry> entries = walk(newest, type, upper, lowerExclusive).entries;
    Collections.reverse(entries);
    return entries;
  }

  /** Returns the commit before this one that touched the type; 0 for none. */
  public long previous(Manifest newest, TypeId type, long commitId) {
    OptionalLong said =
        manifestChain
            .find(newest, commitId)
            .file(type)
            .map(DataFile::previous)
            .orElse(OptionalLong.empty());
    if (said.isPresent() || commitId == 1) {
      return said.orElse(0);
    }
    List<Entry> before = walk(newest, type, commitId - 1, 0).entries; // of another program
    return before.isEmpty() ? 0 : before.get(0).min();
  }

  /** Returns the index advanced by the commits it doesn't know yet, and by the type's last drop. */
  public TypeIndex advanced(TypeIndex index, Manifest newest) {
    TypeId type = index.type();
    long floor = newest.type(type).floor();
    List<Entry> kept = index.entries().stream().filter(entry -> entry.max() > floor).toList();
    TypeIndex base =
        new TypeIndex(type, index.maxIndexedCommit(), kept, index.epoch(), index.rest());
    long covered = Math.max(base.maxIndexedCommit(), floor);
    return base.with(gap(newest, type, covered), newest.commitId());
  }

  /**
   * Returns the index with the rows of each entry that doesn't say them, as far as manifests do.
   */
  public TypeIndex withRowCounts(TypeIndex index, Manifest newest) {
    List<Entry> entries =
        index.entries().stream()
            .map(
                entry ->
                    entry.rowCount().isPresent()
                        ? entry
                        : withRowCounts(index.type(), entry, newest))
            .toList();
    return new TypeIndex(
        index.type(), index.maxIndexedCommit(), entries, index.epoch(), index.rest());
  }

  private Entry withRowCounts(TypeId type, Entry entry, Manifest newest) {
    List<Entry> commits = between(newest, type, entry.min() - 1, entry.max());
    boolean said = commits.stream().allMatch(commit -> commit.rowCount().isPresent());
    long rows = commits.stream().mapToLong(commit -> commit.rowCount().orElse(0)).sum();
    return said && rows > 0
        ? new Entry(
            entry.min(), entry.max(), entry.path(), entry.json().deepCopy().put("row_count", rows))
        : entry;
  }

  private static final class Walk {
    private final List<Source> files = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private long floor;

    void add(long id, DataFile file) {
      files.add(new Source(id, id, file.path(), file.sha256(), file.sizeBytes()));
      entries.add(Entry.of(id, file));
    }
  }

  private Walk walk(Manifest newest, TypeId type, long last, long covered) {
    Walk walk = new Walk();
    ChainPrefetcher chainPrefetcher = new ChainPrefetcher(manifestChain, covered + 1);
    Manifest manifest = manifestChain.find(newest, last);
    while (manifest.commitId() > covered) {
      if (manifest.drops(type)) {
        walk.floor = manifest.commitId();
        return walk;
      }
      Optional<DataFile> file = manifest.file(type);
      long id = manifest.commitId();
      file.ifPresent(found -> walk.add(id, found));
      OptionalLong previous = touchedBefore(manifest, file, type);
      long next = previous.orElse(id - 1);
      if (next <= covered || next < 1) {
        walk.floor = previous.isPresent() && file.isEmpty() ? manifest.type(type).floor() : 0;
        return walk;
      }
      boolean isUnlinked = covered == 0 && previous.isEmpty();
      Optional<Manifest> parent = isUnlinked ? manifestChain.parent(manifest) : Optional.empty();
      if (parent.filter(each -> !UnlinkedRun.isLinked(each)).isPresent()) {
        Optional<Manifest> below = throughRun(manifest.parent().orElseThrow(), type, walk);
        if (below.isEmpty()) {
          return walk;
        }
        manifest = below.get();
      } else {
        chainPrefetcher.beforeStep(manifest, next);
        manifest = manifestChain.find(manifest, next);
      }
    }
    return walk;
  }

  /**
   * Returns the commit before one that touched the type, 0 for none; empty when the commit doesn't
   * say.
   */
  private static OptionalLong touchedBefore(Manifest commit, Optional<DataFile> file, TypeId type) {
    return file.isEmpty() && commit.ancestors().isPresent() && commit.hasTypes()
        ? OptionalLong.of(commit.lastTouch(type))
        : file.map(DataFile::previous).orElse(OptionalLong.empty());
  }

  /** Takes what a run up to a commit has of a type; empty if there is nothing of it before. */
  private Optional<Manifest> throughRun(Link newest, TypeId type, Walk walk) {
    UnlinkedRun run = manifestChain.unlinked(newest);
    long drop = run.drop(type, newest.commitId());
    run.files(type, drop, newest.commitId())
        .forEach(each -> walk.add(each.getKey(), each.getValue()));
    walk.floor = drop;
    return drop > 0 ? Optional.empty() : run.below();
  }
}
