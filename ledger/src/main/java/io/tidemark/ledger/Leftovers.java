// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.tidemark.ledger.internal.branch.Branches;
import io.tidemark.ledger.internal.branch.PurgeNotes;
import io.tidemark.ledger.internal.branch.Roots;
import io.tidemark.ledger.internal.store.Layout;
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
 * Directories of attempts that never became a commit: of writers that died, lost the head or their
 * lease; commits that were only on a branch that was dropped; and documents of branches that were
 * dropped, or never came to be; and the files of types that were dropped with their history.
 *
 * <p>An attempt that is under way looks the same, which is why only those are taken that have been
 * left alone for long; whatever a writer does takes less than its lease. Who makes a branch has no
 * lease, and may be silent for as long as it likes: its documents are taken only once its head
 * can't come any more.
 */
public final class Leftovers {

  /** The least age that makes sense: a writer may take as long as this over an attempt. */
  public static final Duration SAFE_AGE = Duration.ofHours(24);

  private final Ledger.Parts parts;
  private final LedgerObjects objects;

  /** Purges that are noted, and the heads as they were after the last note was written. */
  private final Set<String> noted = new HashSet<>();

  private Optional<Roots> rootsOfPurge = Optional.empty();

  Leftovers(Ledger.Parts parts) {
    this.parts = parts;
    this.objects = parts.objects();
  }

  /**
   * An attempt that came to nothing, the note of a branch that was dropped, the documents of one
   * that isn't there, or a file with rows of a type that was dropped.
   *
   * @param directory with a {@code /} at its end; the path of a note, or of a file of a dropped
   *     type
   * @param commitId that was attempted; 0 for what is of a branch
   */
  public record Leftover(
      String directory, long commitId, int objects, long bytes, Instant newest) {}

  /**
   * Finds what was left alone for at least so long.
   *
   * @throws IllegalArgumentException when that is shorter than a lease, in which an attempt may be
   *     under way
   * @throws RewoundHeadException when the nameservice knows newer commits of a branch than its head
   */
  public List<Leftover> find(Duration minAge) {
    if (minAge.compareTo(parts.options().writer().leaseTtl()) < 0) {
      throw new IllegalArgumentException(
          "an attempt may be under way for as long as a lease, "
              + parts.options().writer().leaseTtl().toSeconds()
              + " s; take an age of at least that, not "
              + minAge.toSeconds()
              + " s");
    }
    Instant limit = objects.store().clock().instant().minus(minAge);
    Map<String, Leftover> attempts = new TreeMap<>();
    try (Stream<ObjectInfo> found = objects.list(Layout.COMMITS)) {
      found.forEach(info -> collect(info, attempts));
    }
    Map<String, Leftover> homes = homes();
    // What names say comes before the heads, which are never behind it.
    Map<BranchName, Long> named = named();
    // Heads are read after the lists: what became a commit or a branch meanwhile is known to one.
    Roots roots = Roots.read(objects, parts.chain(), limit);
    roots.heads().forEach((branch, head) -> requireNotRewound(branch, head, named));
    Map<Long, Long> rivals =
        attempts.values().stream().collect(groupingBy(Leftover::commitId, counting()));
    // Notes come first, so that none outlives a commit that it names.
    List<Leftover> left = new ArrayList<>(roots.oldNotes().stream().map(this::note).toList());
    for (Leftover attempt : attempts.values()) {
      // A commit has a directory, so the only one of an id that is committed, on whichever branch,
      // is the commit's.
      boolean sole = Long.valueOf(1).equals(rivals.get(attempt.commitId()));
      boolean settled = sole && attempt.commitId() <= roots.newest();
      boolean old = !attempt.newest().isAfter(limit);
      if (!settled && old && !roots.hold(attempt.commitId(), attempt.directory())) {
        left.add(attempt);
      }
    }
    left.addAll(purged(roots, attempts, limit));
    homes.values().stream()
        .filter(home -> !home.newest().isAfter(limit) && !roots.isHome(home.directory()))
        .forEach(left::add);
    return left;
  }

  /**
   * Files with rows of types that were dropped so long ago, on every branch that has the commit.
   * The commit itself stays, and says what it did.
   */
  private List<Leftover> purged(Roots roots, Map<String, Leftover> attempts, Instant limit) {
    Set<TypeId> dropped = roots.droppedTypes();
    if (dropped.isEmpty()) {
      return List.of();
    }
    try (Stream<ObjectInfo> found = objects.list(Layout.COMMITS)) {
      return found
          .filter(info -> !info.lastModified().isAfter(limit))
          .filter(
              info ->
                  Layout.dataType(objects.path(info.key())).filter(dropped::contains).isPresent())
          .map(info -> new PurgedFile(file(info), roots))
          .filter(file -> !file.drops().isEmpty())
          .filter(file -> file.drops().stream().allMatch(drop -> isOld(drop, attempts, limit)))
          .map(PurgedFile::file)
          .toList();
    }
  }

  private static boolean isOld(Link drop, Map<String, Leftover> attempts, Instant limit) {
    Leftover commit = attempts.get(directory(drop.path()));
    return commit != null && !commit.newest().isAfter(limit);
  }

  private static String directory(String path) {
    return path.substring(0, path.indexOf('/', Layout.COMMITS.length()) + 1);
  }

  /** A data file, and the commits by which its rows are gone. */
  private record PurgedFile(Leftover file, TypeId type, List<Link> drops) {
    PurgedFile(Leftover file, Roots roots) {
      this(file, Layout.dataType(file.directory()).orElseThrow(), roots);
    }

    private PurgedFile(Leftover file, TypeId type, Roots roots) {
      this(file, type, roots.drops(file.commitId(), directory(file.directory()), type));
    }
  }

  private Leftover file(ObjectInfo info) {
    String path = objects.path(info.key());
    long id = commitId(path).orElse(0L);
    return new Leftover(path, id, 1, info.size(), info.lastModified());
  }

  private static boolean isFile(Leftover leftover) {
    return leftover.commitId() > 0 && !leftover.directory().endsWith("/");
  }

  /**
   * Deletes a file of a dropped type, unless a branch has come to have it or somebody has written
   * it again; see {@link PurgeNotes} for the order of the steps.
   */
  private void deletePurged(Leftover leftover) {
    TypeId type = Layout.dataType(leftover.directory()).orElseThrow();
    String directory = directory(leftover.directory());
    PurgeNotes notes = new PurgeNotes(objects, parts.chain());
    Optional<Roots> before = rootsOfPurge;
    for (Link drop : before.orElseGet(this::roots).drops(leftover.commitId(), directory, type)) {
      if (noted.add(Layout.purgeNote(type, directory(drop.path())))) {
        notes.write(type, drop);
        rootsOfPurge = Optional.empty();
      }
    }
    if (rootsOfPurge.isEmpty()) {
      branches().abandonUnfinished();
      rootsOfPurge = Optional.of(roots());
    }
    boolean isUnchanged =
        objects
            .store()
            .head(objects.key(leftover.directory()))
            .filter(info -> info.lastModified().equals(leftover.newest()))
            .isPresent();
    if (isUnchanged && !rootsOfPurge.get().drops(leftover.commitId(), directory, type).isEmpty()) {
      objects.delete(leftover.directory());
    }
  }

  private Roots roots() {
    return Roots.ofHeads(objects, parts.chain());
  }

  /** The newest commit of each branch by its name, as far as there are names. */
  private Map<BranchName, Long> named() {
    Map<BranchName, Long> named = new HashMap<>();
    for (BranchName branch : Branches.names(objects)) {
      parts
          .options()
          .publisher()
          .published(branch)
          .ifPresent(published -> named.put(branch, published.commitId()));
    }
    return named;
  }

  /** Behind a head that was set back lie commits that only look left over. */
  private void requireNotRewound(BranchName branch, long head, Map<BranchName, Long> named) {
    long said = named.getOrDefault(branch, head);
    if (said > head) {
      throw new RewoundHeadException(objects.on(branch).location(), head, said);
    }
  }

  /** Where branches have their documents, or had them, or would have had them. */
  private Map<String, Leftover> homes() {
    Map<String, Leftover> homes = new TreeMap<>();
    LedgerObjects main = objects.on(BranchName.MAIN);
    try (Stream<ObjectInfo> found = main.list(Layout.BRANCHES)) {
      found.forEach(
          info ->
              Layout.homeOf(main.path(info.key()))
                  .map(home -> new Leftover(home, 0, 1, info.size(), info.lastModified()))
                  .ifPresent(one -> homes.merge(one.directory(), one, Leftovers::sum)));
    }
    return homes;
  }

  /**
   * Deletes one; the manifest last, so that a crash leaves what is found again. Documents that have
   * become those of a branch since they were found, or may have, stay; and so does what somebody
   * has written to since, who is copying commits from another store, and what a head has come to
   * lead to.
   */
  public void delete(Leftover leftover) {
    if (isFile(leftover)) {
      deletePurged(leftover);
      return;
    }
    if (isHome(leftover) && !isAbandoned(leftover)) {
      return;
    }
    if (leftover.commitId() > 0
        && Roots.ofHeads(objects, parts.chain()).hold(leftover.commitId(), leftover.directory())) {
      return;
    }
    List<ObjectInfo> there;
    try (Stream<ObjectInfo> found = objects.list(leftover.directory())) {
      there = found.toList();
    }
    if (there.stream().anyMatch(info -> info.lastModified().isAfter(leftover.newest()))) {
      return;
    }
    List<String> keys = new ArrayList<>(there.stream().map(ObjectInfo::key).toList());
    String manifest = objects.key(Layout.manifest(leftover.directory()));
    keys.sort((a, b) -> Boolean.compare(a.equals(manifest), b.equals(manifest)));
    keys.forEach(key -> objects.delete(objects.path(key)));
  }

  private static boolean isHome(Leftover leftover) {
    return leftover.directory().startsWith(Layout.BRANCHES) && leftover.directory().endsWith("/");
  }

  private boolean isAbandoned(Leftover home) {
    BranchName name = BranchName.of(home.directory()).orElseThrow();
    return branches().abandon(name, home.directory());
  }

  private Branches branches() {
    return new Branches(objects, parts.chain(), parts.heads(), parts.options().writer());
  }

  private void collect(ObjectInfo info, Map<String, Leftover> attempts) {
    String path = objects.path(info.key());
    Optional<Long> id = commitId(path);
    if (id.isPresent()) {
      Leftover one = new Leftover(directory(path), id.get(), 1, info.size(), info.lastModified());
      attempts.merge(one.directory(), one, Leftovers::sum);
    }
  }

  /** Empty for what no writer of commits puts there. */
  private static Optional<Long> commitId(String path) {
    int end = path.indexOf('/', Layout.COMMITS.length());
    int dash = path.indexOf('-', Layout.COMMITS.length());
    return end < 0 || dash < 0 || dash > end
        ? Optional.empty()
        : number(path.substring(Layout.COMMITS.length(), dash));
  }

  private static Leftover sum(Leftover a, Leftover b) {
    Instant newest = a.newest().isAfter(b.newest()) ? a.newest() : b.newest();
    return new Leftover(
        a.directory(), a.commitId(), a.objects() + b.objects(), a.bytes() + b.bytes(), newest);
  }

  private Leftover note(ObjectInfo info) {
    return new Leftover(objects.path(info.key()), 0, 1, info.size(), info.lastModified());
  }

  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
