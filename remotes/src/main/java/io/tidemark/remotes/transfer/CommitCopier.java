// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.ledger.OrphanCollector;
import io.tidemark.ledger.internal.branch.BranchPosition;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.internal.threads.Parallel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Copier of the objects of commits to another store, under the same paths, many at a time. Nothing
 * there refers to them yet, so an interrupted copy does no harm, and a repeated one goes on from
 * there:
 *
 * <ul>
 *   <li>Everything is read whole and held to its hash before it is written, and written only if
 *       there is none. What is there already has to be the same.
 *   <li>The manifest of a commit is written when its files are there. One that is there therefore
 *       says that they are, unless garbage collection has deleted them: they are looked for, not
 *       read.
 *   <li>Commits are copied in groups, the oldest first; as soon as nothing of a group is there, no
 *       further one is looked for.
 *   <li>Cleaning up takes what has been left alone for a day. What was copied long ago is written
 *       again, so that it isn't taken for left alone while the head moves to it.
 * </ul>
 */
final class CommitCopier {

  private static final int GROUP = 64;
  private static final int TRIES = 3;
  private static final Duration OLD = OrphanCollector.SAFE_AGE.dividedBy(2);

  private final BranchPosition source;
  private final LedgerObjects from;
  private final LedgerObjects to;
  private final CopyProgress progress;
  private final Parallel parallel = new Parallel();
  private final AtomicLong bytes = new AtomicLong();

  CommitCopier(BranchPosition source, LedgerObjects to, CopyProgress progress) {
    this.source = source;
    this.from = source.objects();
    this.to = to;
    this.progress = progress;
  }

  /** A commit on its way: what it says of itself, as it is stored and as it is meant. */
  private record CommitObjects(Link link, StoredObject stored, List<DataFile> files) {}

  /**
   * Copies them.
   *
   * @param commits the oldest first
   * @return how many bytes were sent
   */
  long copy(List<Link> commits) {
    boolean resuming = true;
    for (int start = 0; start < commits.size(); start += GROUP) {
      int end = Math.min(start + GROUP, commits.size());
      List<CommitObjects> pieces = read(commits.subList(start, end));
      List<CommitObjects> missing = resuming ? missing(pieces) : pieces;
      resuming = missing.size() < pieces.size();
      int done = start + pieces.size() - missing.size();
      progress.at(done, commits.size(), bytes.get());
      copyFiles(missing, () -> progress.at(done, commits.size(), bytes.get()));
      inParallel(missing, this::copyManifest);
      progress.at(end, commits.size(), bytes.get());
    }
    return bytes.get();
  }

  private List<CommitObjects> read(List<Link> links) {
    ConcurrentHashMap<Link, CommitObjects> pieces = new ConcurrentHashMap<>();
    inParallel(links, link -> pieces.put(link, read(link)));
    return links.stream().map(pieces::get).toList();
  }

  private CommitObjects read(Link link) {
    requireOfACommit(link);
    StoredObject stored =
        from.get(link.path()).orElseThrow(() -> from.corrupt(link.path(), "is missing"));
    Manifest manifest = Manifest.parse(from, link.path(), stored.bytes());
    if (manifest.commitId() != link.commitId()) {
      throw from.corrupt(link.path(), "is of commit " + manifest.commitId());
    }
    manifest.files().forEach(file -> requireWithin(link, file));
    List<DataFile> files = manifest.files().stream().filter(file -> !isPurged(link, file)).toList();
    return new CommitObjects(link, stored, files);
  }

  /** A type that was dropped since may have no files of before any more; those aren't wanted. */
  private boolean isPurged(Link link, DataFile file) {
    long floor = source.base().type(file.type()).floor();
    return floor >= link.commitId() && from.store().head(from.key(file.path())).isEmpty();
  }

  /**
   * Requires that a link names a manifest of its commit. Its writer could otherwise name any object
   * of the other ledger, its head included.
   */
  private void requireOfACommit(Link link) {
    String prefix = LedgerLayout.COMMITS + link.commitId() + "-";
    String path = link.path();
    boolean ours =
        path.startsWith(prefix)
            && path.equals(LedgerLayout.manifest(directory(link)))
            && path.indexOf('/', prefix.length()) == path.lastIndexOf('/');
    if (!ours) {
      throw from.corrupt(path, "isn't where manifests are");
    }
  }

  private void requireWithin(Link link, DataFile file) {
    boolean within =
        file.path().startsWith(directory(link))
            && !file.path().equals(link.path())
            && Stream.of(file.path().split("/", -1)).noneMatch(step -> step.equals(".."));
    if (!within) {
      throw from.corrupt(link.path(), "names " + file.path() + ", which isn't of its commit");
    }
  }

  private static String directory(Link link) {
    return link.path().substring(0, link.path().lastIndexOf('/') + 1);
  }

  /**
   * Returns the commits whose objects aren't all there, or aren't young enough to be spared by
   * garbage collection.
   */
  private List<CommitObjects> missing(List<CommitObjects> pieces) {
    ConcurrentHashMap<Link, CommitObjects> missing = new ConcurrentHashMap<>();
    Instant limit = to.store().clock().instant().minus(OLD);
    inParallel(
        pieces,
        commitObjects -> {
          if (!isThere(commitObjects, limit)) {
            missing.put(commitObjects.link(), commitObjects);
          }
        });
    return pieces.stream()
        .filter(commitObjects -> missing.containsKey(commitObjects.link()))
        .toList();
  }

  private boolean isThere(CommitObjects commitObjects, Instant limit) {
    Optional<StoredObject> there = to.get(commitObjects.link().path());
    if (there.filter(found -> !isSame(commitObjects, found)).isPresent()) {
      throw differs(commitObjects.link().path());
    }
    return there.isPresent()
        && isRecent(commitObjects.link().path(), limit)
        && commitObjects.files().stream().allMatch(file -> isRecent(file.path(), limit));
  }

  private boolean isRecent(String path, Instant limit) {
    Optional<ObjectInfo> there = to.store().head(to.key(path));
    return there.filter(info -> info.lastModified().isAfter(limit)).isPresent();
  }

  private static boolean isSame(CommitObjects commitObjects, StoredObject there) {
    return Arrays.equals(there.bytes(), commitObjects.stored().bytes());
  }

  private RuntimeException differs(String path) {
    return to.corrupt(path, "differs from the one of the same commit in " + from.location());
  }

  private void copyFiles(List<CommitObjects> pieces, Runnable told) {
    List<DataFile> files = new ArrayList<>();
    pieces.forEach(commitObjects -> files.addAll(commitObjects.files()));
    inParallel(
        files,
        file -> {
          copyFile(file);
          told.run();
        });
  }

  private void copyFile(DataFile file) {
    try (VerifiedDataFile fetched = VerifiedDataFile.of(from, file)) {
      put(
          file.path(),
          fetched.body(),
          () -> VerifiedDataFile.sha256(to, file.path()).map(fetched.sha256()::equals));
    }
  }

  private void copyManifest(CommitObjects commitObjects) {
    put(
        commitObjects.link().path(),
        Body.of(commitObjects.stored().bytes()),
        () -> to.get(commitObjects.link().path()).map(found -> isSame(commitObjects, found)));
  }

  /**
   * Writes an object, or makes sure that the one which is there is the same, and young.
   *
   * @param same whether the one that is there is; empty when there is none
   */
  private void put(String path, Body body, Supplier<Optional<Boolean>> same) {
    for (int i = 0; i < TRIES; i++) {
      try {
        if (to.put(path, body, Condition.ifAbsent()).written()) {
          bytes.addAndGet(body.length());
          return;
        }
      } catch (OutcomeUnknownException e) {
        // Whether or not this write took place, the object is checked below.
      }
      Optional<Boolean> found = same.get();
      if (found.equals(Optional.of(false))) {
        throw differs(path);
      }
      if (found.isPresent()) {
        refresh(path, body);
        return;
      }
    }
    throw new StoreUnavailableException(
        path + " in " + to.location() + " was deleted each time it was copied; try again");
  }

  private void refresh(String path, Body body) {
    if (!isRecent(path, to.store().clock().instant().minus(OLD))) {
      to.put(path, body, Condition.none());
      bytes.addAndGet(body.length());
    }
  }

  /** All of them at once; none is begun any more when one has failed. */
  private <T> void inParallel(List<T> all, Consumer<T> work) {
    AtomicBoolean failed = new AtomicBoolean();
    parallel.run(
        all.stream()
            .<Runnable>map(
                one ->
                    () -> {
                      if (!failed.get()) {
                        try {
                          work.accept(one);
                        } catch (RuntimeException e) {
                          failed.set(true);
                          throw e;
                        }
                      }
                    })
            .toList());
  }
}
