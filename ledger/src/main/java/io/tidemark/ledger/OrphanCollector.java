// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.tidemark.ledger.internal.branch.BranchStore;
import io.tidemark.ledger.internal.branch.GcRoots;
import io.tidemark.ledger.internal.branch.PurgeMarkers;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.ObjectInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Garbage collector of orphans. These are directories of attempts that never became a commit,
 * because the writer died or lost the head or its lease; commits of dropped branches; documents of
 * branches that were dropped or never created; and the files of types that were dropped with their
 * history.
 *
 * <p>An attempt that is under way looks the same, so only objects of a minimum age are collected;
 * whatever a writer does takes less than its lease. The creator of a branch has no lease, and may
 * pause for any time: its documents are collected only once its head can't be written any more.
 */
public final class OrphanCollector {

  /** Least age that is safe: a writer may take as long as this for an attempt. */
  public static final Duration SAFE_AGE = Duration.ofHours(24);

  private final Ledger.LedgerComponents ledgerComponents;
  private final LedgerObjects objects;

  /**
   * Purges that are noted, together with the heads as they were after the last note was written.
   */
  private final Set<String> noted = new HashSet<>();

  private Optional<GcRoots> rootsOfPurge = Optional.empty();

  OrphanCollector(Ledger.LedgerComponents ledgerComponents) {
    this.ledgerComponents = ledgerComponents;
    this.objects = ledgerComponents.objects();
  }

  /**
   * Orphan: a failed attempt, the note of a dropped branch, the documents of a branch that doesn't
   * exist, or a file with rows of a dropped type.
   *
   * @param directory with a {@code /} at its end; the path of a note, or of a file of a dropped
   *     type
   * @param commitId that was attempted; 0 for what is of a branch
   */
  public record Orphan(String directory, long commitId, int objects, long bytes, Instant newest) {}

  /**
   * Finds the orphans that are at least of this age.
   *
   * @throws IllegalArgumentException when the age is shorter than a lease, in which an attempt may
   *     be under way
   * @throws RewoundHeadException when the nameservice knows newer commits of a branch than its head
   */
  public List<Orphan> find(Duration minAge) {
    if (minAge.compareTo(ledgerComponents.options().writer().leaseTtl()) < 0) {
      throw new IllegalArgumentException(
          "an attempt may be under way for as long as a lease, "
              + ledgerComponents.options().writer().leaseTtl().toSeconds()
              + " s; take an age of at least that, not "
              + minAge.toSeconds()
              + " s");
    }
    Instant limit = objects.store().clock().instant().minus(minAge);
    Map<String, Orphan> attempts = new TreeMap<>();
    try (Stream<ObjectInfo> found = objects.list(LedgerLayout.COMMITS)) {
      found.forEach(info -> collect(info, attempts));
    }
    Map<String, Orphan> homes = epochDirectories();
    // The names are read before the heads, which are never behind them.
    Map<BranchName, Long> named = publishedHeads();
    // Heads are read after the lists, so every attempt that became a commit meanwhile is known.
    GcRoots gcRoots = GcRoots.read(objects, ledgerComponents.chain(), limit);
    gcRoots.heads().forEach((branch, head) -> requireNotRewound(branch, head, named));
    Map<Long, Long> rivals =
        attempts.values().stream().collect(groupingBy(Orphan::commitId, counting()));
    // Notes come first, so that none outlives a commit that it names.
    List<Orphan> left =
        new ArrayList<>(gcRoots.expiredDropNotes().stream().map(this::note).toList());
    for (Orphan attempt : attempts.values()) {
      // A commit has a directory, so the only one of an id that is committed, on whichever branch,
      // is the commit's.
      boolean sole = Long.valueOf(1).equals(rivals.get(attempt.commitId()));
      boolean settled = sole && attempt.commitId() <= gcRoots.highestCommitId();
      boolean old = !attempt.newest().isAfter(limit);
      if (!settled && old && !gcRoots.contains(attempt.commitId(), attempt.directory())) {
        left.add(attempt);
      }
    }
    left.addAll(purged(gcRoots, attempts, limit));
    homes.values().stream()
        .filter(
            home -> !home.newest().isAfter(limit) && !gcRoots.isEpochDirectory(home.directory()))
        .forEach(left::add);
    return left;
  }

  /**
   * Returns files with rows of types whose drop is old enough, on every branch that has the commit.
   * The commit itself stays, and says what it did.
   */
  private List<Orphan> purged(GcRoots gcRoots, Map<String, Orphan> attempts, Instant limit) {
    Set<TypeId> dropped = gcRoots.droppedTypes();
    if (dropped.isEmpty()) {
      return List.of();
    }
    try (Stream<ObjectInfo> found = objects.list(LedgerLayout.COMMITS)) {
      return found
          .filter(info -> !info.lastModified().isAfter(limit))
          .filter(
              info ->
                  LedgerLayout.dataType(objects.path(info.key()))
                      .filter(dropped::contains)
                      .isPresent())
          .map(info -> new PurgedFile(file(info), gcRoots))
          .filter(file -> !file.drops().isEmpty())
          .filter(file -> file.drops().stream().allMatch(drop -> isOld(drop, attempts, limit)))
          .map(PurgedFile::file)
          .toList();
    }
  }

  private static boolean isOld(Link drop, Map<String, Orphan> attempts, Instant limit) {
    Orphan commit = attempts.get(directory(drop.path()));
    return commit != null && !commit.newest().isAfter(limit);
  }

  private static String directory(String path) {
    return path.substring(0, path.indexOf('/', LedgerLayout.COMMITS.length()) + 1);
  }

  /** Data file, with the commits that dropped its rows. */
  private record PurgedFile(Orphan file, TypeId type, List<Link> drops) {
    PurgedFile(Orphan file, GcRoots roots) {
      this(file, LedgerLayout.dataType(file.directory()).orElseThrow(), roots);
    }

    private PurgedFile(Orphan file, TypeId type, GcRoots roots) {
      this(file, type, roots.drops(file.commitId(), directory(file.directory()), type));
    }
  }

  private Orphan file(ObjectInfo info) {
    String path = objects.path(info.key());
    long id = commitId(path).orElse(0L);
    return new Orphan(path, id, 1, info.size(), info.lastModified());
  }

  private static boolean isFile(Orphan orphan) {
    return orphan.commitId() > 0 && !orphan.directory().endsWith("/");
  }

  /**
   * Deletes a file of a dropped type, unless a branch has come to reference it or a writer has
   * written it again; see {@link PurgeMarkers} for the order of the steps.
   */
  private void deletePurged(Orphan orphan) {
    TypeId type = LedgerLayout.dataType(orphan.directory()).orElseThrow();
    String directory = directory(orphan.directory());
    PurgeMarkers notes = new PurgeMarkers(objects, ledgerComponents.chain());
    Optional<GcRoots> before = rootsOfPurge;
    for (Link drop : before.orElseGet(this::roots).drops(orphan.commitId(), directory, type)) {
      if (noted.add(LedgerLayout.purgeNote(type, directory(drop.path())))) {
        notes.write(type, drop);
        rootsOfPurge = Optional.empty();
      }
    }
    if (rootsOfPurge.isEmpty()) {
      branches().invalidateUnfinished();
      rootsOfPurge = Optional.of(roots());
    }
    boolean isUnchanged =
        objects
            .store()
            .head(objects.key(orphan.directory()))
            .filter(info -> info.lastModified().equals(orphan.newest()))
            .isPresent();
    if (isUnchanged && !rootsOfPurge.get().drops(orphan.commitId(), directory, type).isEmpty()) {
      objects.delete(orphan.directory());
    }
  }

  private GcRoots roots() {
    return GcRoots.ofHeads(objects, ledgerComponents.chain());
  }

  /** Returns the newest commit of each branch by its name, as far as there are names. */
  private Map<BranchName, Long> publishedHeads() {
    Map<BranchName, Long> named = new HashMap<>();
    for (BranchName branch : BranchStore.names(objects)) {
      ledgerComponents
          .options()
          .publisher()
          .latest(branch)
          .ifPresent(publishedCommit -> named.put(branch, publishedCommit.commitId()));
    }
    return named;
  }

  /** Fails if a head was rewound, since the commits after it look like orphans but aren't. */
  private void requireNotRewound(BranchName branch, long head, Map<BranchName, Long> named) {
    long said = named.getOrDefault(branch, head);
    if (said > head) {
      throw new RewoundHeadException(objects.forBranch(branch).location(), head, said);
    }
  }

  /** Returns the directories of the documents of branches: present, dropped, or never completed. */
  private Map<String, Orphan> epochDirectories() {
    Map<String, Orphan> homes = new TreeMap<>();
    LedgerObjects main = objects.forBranch(BranchName.MAIN);
    try (Stream<ObjectInfo> found = main.list(LedgerLayout.BRANCHES)) {
      found.forEach(
          info ->
              LedgerLayout.epochDirectoryOf(main.path(info.key()))
                  .map(home -> new Orphan(home, 0, 1, info.size(), info.lastModified()))
                  .ifPresent(one -> homes.merge(one.directory(), one, OrphanCollector::sum)));
    }
    return homes;
  }

  /**
   * Deletes an orphan, its manifest last, so that a crash leaves an orphan that is found again.
   * Keeps documents that have become those of a branch since they were found, or may have. Also
   * keeps objects that a process has written to since, as one that copies commits from another
   * store does, and objects that a head has come to reference.
   */
  public void delete(Orphan orphan) {
    if (isFile(orphan)) {
      deletePurged(orphan);
      return;
    }
    if (isEpochDirectory(orphan) && !isAbandoned(orphan)) {
      return;
    }
    if (orphan.commitId() > 0
        && GcRoots.ofHeads(objects, ledgerComponents.chain())
            .contains(orphan.commitId(), orphan.directory())) {
      return;
    }
    List<ObjectInfo> there;
    try (Stream<ObjectInfo> found = objects.list(orphan.directory())) {
      there = found.toList();
    }
    if (there.stream().anyMatch(info -> info.lastModified().isAfter(orphan.newest()))) {
      return;
    }
    List<String> keys = new ArrayList<>(there.stream().map(ObjectInfo::key).toList());
    String manifest = objects.key(LedgerLayout.manifest(orphan.directory()));
    keys.sort((a, b) -> Boolean.compare(a.equals(manifest), b.equals(manifest)));
    keys.forEach(key -> objects.delete(objects.path(key)));
  }

  private static boolean isEpochDirectory(Orphan orphan) {
    return orphan.directory().startsWith(LedgerLayout.BRANCHES) && orphan.directory().endsWith("/");
  }

  private boolean isAbandoned(Orphan home) {
    BranchName name = BranchName.of(home.directory()).orElseThrow();
    return branches().invalidate(name, home.directory());
  }

  private BranchStore branches() {
    return new BranchStore(
        objects,
        ledgerComponents.chain(),
        ledgerComponents.heads(),
        ledgerComponents.options().writer());
  }

  private void collect(ObjectInfo info, Map<String, Orphan> attempts) {
    String path = objects.path(info.key());
    Optional<Long> id = commitId(path);
    if (id.isPresent()) {
      Orphan one = new Orphan(directory(path), id.get(), 1, info.size(), info.lastModified());
      attempts.merge(one.directory(), one, OrphanCollector::sum);
    }
  }

  /** Returns the commit id of a path, or empty for a path that no writer of commits uses. */
  private static Optional<Long> commitId(String path) {
    int end = path.indexOf('/', LedgerLayout.COMMITS.length());
    int dash = path.indexOf('-', LedgerLayout.COMMITS.length());
    return end < 0 || dash < 0 || dash > end
        ? Optional.empty()
        : number(path.substring(LedgerLayout.COMMITS.length(), dash));
  }

  private static Orphan sum(Orphan a, Orphan b) {
    Instant newest = a.newest().isAfter(b.newest()) ? a.newest() : b.newest();
    return new Orphan(
        a.directory(), a.commitId(), a.objects() + b.objects(), a.bytes() + b.bytes(), newest);
  }

  private Orphan note(ObjectInfo info) {
    return new Orphan(objects.path(info.key()), 0, 1, info.size(), info.lastModified());
  }

  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
