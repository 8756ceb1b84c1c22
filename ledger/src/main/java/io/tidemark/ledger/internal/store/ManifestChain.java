// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.threads.Prefetcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chain of the manifests of a ledger, each of which names the one before: the truth about what is
 * committed.
 *
 * <p>A manifest never changes, so it is kept once it has been read. From any manifest each earlier
 * one is reached in a number of steps that grows with the logarithm of the distance: a manifest
 * names, beside its parent, the roots of a forest of complete binary trees over all commits before
 * it, each root twice as far as the one before or more. What a new commit has to say so follows
 * from what its parent says, and costs no request.
 *
 * <p>Commit ids are dense. A link that leads to another commit than it says is a hole or a cycle,
 * and ends in {@link CorruptLedgerException}.
 */
public final class ManifestChain {

  private static final int KEPT = 10_000;

  /** A shorter run is found again as fast, and must not take the place of a long one. */
  private static final int WORTH_KEEPING = 64;

  /** A longer run would take too much memory. */
  private static final int LONGEST_KEPT = 50_000;

  private final LedgerObjects objects;
  private final int most;
  private final Object walking = new Object();
  private Optional<UnlinkedRun> unlinked = Optional.empty();
  private final Map<String, Manifest> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Manifest> eldest) {
          return size() > most;
        }
      };

  public ManifestChain(LedgerObjects objects) {
    this(objects, KEPT);
  }

  /**
   * Creates a chain that keeps some of the manifests it reads.
   *
   * @param most how many of them are kept
   */
  ManifestChain(LedgerObjects objects, int most) {
    this.objects = objects;
    this.most = most;
  }

  /** Returns the newest commit; empty when there is none. */
  public Optional<Manifest> newest(Head head) {
    return head.manifestPath()
        .map(path -> read(new Link(head.commitId(), path), LedgerLayout.HEAD));
  }

  /** Returns a commit that is known to have taken place. */
  public Manifest at(Link link) {
    return read(link, "what refers to it");
  }

  /** Returns the commit before; empty for the first. */
  public Optional<Manifest> parent(Manifest manifest) {
    if (manifest.parent().isEmpty()) {
      if (manifest.commitId() != 1) {
        throw objects.corrupt(
            "the manifest of commit " + manifest.commitId(), "names no commit before it");
      }
      return Optional.empty();
    }
    Link link = manifest.parent().get();
    if (link.commitId() != manifest.commitId() - 1) {
      throw objects.corrupt(
          "the manifest of commit " + manifest.commitId(),
          "names " + link.commitId() + " as the commit before it");
    }
    return Optional.of(read(link, "the manifest of commit " + manifest.commitId()));
  }

  /** Returns a commit at or before the given one. */
  public Manifest find(Manifest from, long commitId) {
    if (commitId < 1 || commitId > from.commitId()) {
      throw new IllegalArgumentException(
          "commit " + commitId + " isn't one of 1 to " + from.commitId());
    }
    Manifest manifest = from;
    while (manifest.commitId() > commitId) {
      manifest = step(manifest, commitId);
    }
    return manifest;
  }

  /**
   * Returns the id of the last commit at or before a time, 0 for none. Finds it by halving, since
   * commits are in the order of their times.
   */
  public long newestAt(Manifest newest, Instant time) {
    long before = 0;
    long after = newest.commitId() + 1;
    while (after - before > 1) {
      long middle = before + (after - before) / 2;
      if (find(newest, middle).createdAt().isAfter(time)) {
        after = middle;
      } else {
        before = middle;
      }
    }
    return before;
  }

  /** Returns the run of commits up to one that don't say what touched a type before. */
  UnlinkedRun unlinked(Link newest) {
    synchronized (walking) {
      if (unlinked.filter(run -> run.contains(newest)).isPresent()) {
        return unlinked.get();
      }
      UnlinkedRun found = UnlinkedRun.upTo(newest, this, unlinked);
      if (found.size() >= WORTH_KEEPING && found.size() <= LONGEST_KEPT) {
        unlinked = Optional.of(found);
      }
      return found;
    }
  }

  private Manifest step(Manifest manifest, long commitId) {
    List<Link> ancestors = manifest.ancestors().orElse(List.of());
    for (int i = ancestors.size() - 1; i >= 0; i--) {
      Link link = ancestors.get(i);
      if (link.commitId() >= commitId && link.commitId() < manifest.commitId()) {
        return read(link, "the manifest of commit " + manifest.commitId());
      }
    }
    return parent(manifest).orElseThrow();
  }

  /**
   * Reads the commits before one, down to another, many at a time, for a reader that goes back one
   * by one. A commit that can't be read is left to that reader.
   */
  void prefetch(Manifest from, long downTo) {
    Set<String> seen = new HashSet<>();
    List<Link> round = roots(from, downTo, seen);
    while (!round.isEmpty()) {
      List<Link> next = new ArrayList<>();
      try (Prefetcher<Link, Optional<Manifest>> ahead =
          Prefetcher.of(round, this::readIfSound, unwanted -> {})) {
        for (int i = 0; i < round.size(); i++) {
          ahead.next().ifPresent(read -> next.addAll(roots(read, downTo, seen)));
        }
      }
      round = next;
    }
  }

  private static List<Link> roots(Manifest manifest, long downTo, Set<String> seen) {
    return manifest.ancestors().orElse(List.of()).stream()
        .limit(Long.SIZE) // a forest has no more roots than its size has digits
        .filter(link -> link.commitId() >= downTo && link.commitId() < manifest.commitId())
        .filter(link -> seen.add(link.path()))
        .toList();
  }

  private Optional<Manifest> readIfSound(Link link) {
    try {
      return findByPath(link.path());
    } catch (TidemarkException e) {
      return Optional.empty();
    }
  }

  /** Returns the ancestors that the next commit names. */
  public static List<Link> ancestors(Manifest parent, String parentPath) {
    List<Link> before = parent.ancestors().orElse(List.of());
    boolean joins = before.size() > 1 && size(before, 0) == size(before, 1);
    List<Link> links = new ArrayList<>(before.size() + 1);
    links.add(new Link(parent.commitId(), parentPath));
    links.addAll(joins ? before.subList(2, before.size()) : before);
    return links;
  }

  /** Returns how many commits the tree at this root spans: from it down to the next root. */
  private static long size(List<Link> roots, int index) {
    long next = index + 1 < roots.size() ? roots.get(index + 1).commitId() : 0;
    return roots.get(index).commitId() - next;
  }

  /** Keeps a manifest that has just been written, so that it needn't be read. */
  public void add(String path, Manifest manifest) {
    synchronized (kept) {
      kept.put(path, manifest);
    }
  }

  /** Returns the manifest of this path, be it one of the chain or not; empty when there is none. */
  Optional<Manifest> findByPath(String path) {
    synchronized (kept) {
      Manifest manifest = kept.get(path);
      if (manifest != null) {
        return Optional.of(manifest);
      }
    }
    Optional<Manifest> read =
        objects.get(path).map(found -> Manifest.parse(objects, path, found.bytes()));
    read.ifPresent(manifest -> add(path, manifest));
    return read;
  }

  private Manifest read(Link link, String from) {
    Manifest manifest =
        findByPath(link.path())
            .orElseThrow(
                () -> objects.corrupt(from, "points to " + link.path() + ", which is not there"));
    if (manifest.commitId() != link.commitId()) {
      throw objects.corrupt(
          link.path(),
          "is of commit "
              + manifest.commitId()
              + ", but "
              + from
              + " names it as "
              + link.commitId());
    }
    return manifest;
  }
}
