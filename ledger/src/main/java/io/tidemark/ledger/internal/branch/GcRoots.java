// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.ObjectInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Roots of garbage collection, by which commits are kept: those of every branch, those that a
 * branch has merged, and those of branches that were dropped a short while ago.
 *
 * <p>The last are kept for a process that has just read a branch and is about to create a branch
 * from it or to merge it, when it is dropped. Both operations check the source right before their
 * one decisive write, so they have completed or failed before the note of the drop is old. Heads
 * are read first and notes second. A note is written before its head goes, so a branch that is
 * missing among the heads is found among the notes.
 */
public final class GcRoots {

  private final List<Root> roots = new ArrayList<>();
  private final Map<BranchName, Long> heads = new HashMap<>();
  private final Set<String> homes = new HashSet<>();
  private final List<ObjectInfo> oldNotes = new ArrayList<>();
  private final ManifestChain manifestChain;

  private GcRoots(ManifestChain manifestChain) {
    this.manifestChain = manifestChain;
  }

  /**
   * Reads the current roots.
   *
   * @param limit notes of branches that were dropped by then are ignored
   */
  public static GcRoots read(LedgerObjects objects, ManifestChain manifestChain, Instant limit) {
    GcRoots gcRoots = ofHeads(objects, manifestChain);
    gcRoots.addNotes(objects, limit);
    return gcRoots;
  }

  /** Returns the roots of the existing branches, without those of dropped ones. */
  public static GcRoots ofHeads(LedgerObjects objects, ManifestChain manifestChain) {
    GcRoots gcRoots = new GcRoots(manifestChain);
    for (BranchName name : BranchStore.names(objects)) {
      Optional<Head> head =
          Head.read(objects.forBranch(name)).map(Head.Versioned::head); // may be gone
      head.ifPresent(found -> gcRoots.heads.put(name, found.commitId()));
      head.flatMap(Head::tip).ifPresent(gcRoots::add);
      head.filter(found -> !name.isMain())
          // A head without an epoch is damaged: its directory is unknown, so it keeps them all.
          .map(found -> found.epoch().map(name::epochDirectory).orElseGet(name::directory))
          .ifPresent(gcRoots.homes::add);
    }
    return gcRoots;
  }

  private void addNotes(LedgerObjects objects, Instant limit) {
    LedgerObjects main = objects.forBranch(BranchName.MAIN);
    List<ObjectInfo> notes;
    try (Stream<ObjectInfo> found = main.list(LedgerLayout.BRANCHES)) {
      notes = found.filter(info -> isNote(main.path(info.key()))).toList();
    }
    for (ObjectInfo note : notes) {
      if (note.lastModified().isAfter(limit)) {
        main.read(main.path(note.key()))
            .map(
                found ->
                    new Link(
                        found.json().path("commit_id").asLong(),
                        found.json().path("manifest_path").asText()))
            // Missing commits needn't be kept, and mustn't block the collection for a day.
            .filter(link -> main.get(link.path()).isPresent())
            .ifPresent(this::add);
      } else {
        oldNotes.add(note);
      }
    }
  }

  private static boolean isNote(String path) {
    return BranchName.of(path)
        .filter(name -> path.startsWith(name.directory() + BranchDrop.NOTES))
        .isPresent();
  }

  private void add(Link tip) {
    Root root = new Root(new Lineage(manifestChain, tip), Optional.empty());
    roots.add(root);
    root.newest().merged().stream()
        .map(link -> new Root(new Lineage(manifestChain, link), Optional.of(root)))
        .forEach(roots::add);
  }

  /**
   * Lineage that is kept.
   *
   * @param into the lineage that merged it, if it is kept for that
   */
  private record Root(Lineage lineage, Optional<Root> into) {

    Manifest newest() {
      return ManifestCompleter.complete(lineage.chain(), lineage.chain().at(lineage.tip()));
    }

    boolean contains(long commitId, String directory) {
      return commitId <= lineage.tip().commitId()
          && lineage.at(commitId).path().startsWith(directory);
    }

    /** Returns the commit that dropped the rows of a type that a commit has, as seen from here. */
    Optional<Link> drop(long commitId, TypeId type) {
      long floor = newest().type(type).floor();
      if (floor >= commitId) {
        return Optional.of(lineage.at(floor));
      }
      return into.filter(root -> root.newest().type(type).floor() > 0)
          .map(root -> root.lineage.at(root.newest().type(type).floor()))
          .filter(drop -> isPartOf(drop));
    }

    private boolean isPartOf(Link drop) {
      ManifestChain manifestChain = lineage.chain();
      return ManifestCompleter.complete(manifestChain, manifestChain.at(drop))
          .merged()
          .contains(lineage.tip());
    }
  }

  /** Returns the types that were dropped in any of these lineages. */
  public Set<TypeId> droppedTypes() {
    Set<TypeId> types = new HashSet<>();
    roots.forEach(root -> types.addAll(root.newest().typesWhere(type -> type.floor() > 0)));
    return types;
  }

  /**
   * Returns the commits that dropped a type, when no kept lineage reaches the rows that a commit
   * has of it any more; none as long as one branch still has them, or the commit isn't kept.
   *
   * @param directory directory of the commit
   */
  public List<Link> drops(long commitId, String directory, TypeId type) {
    List<Link> drops = new ArrayList<>();
    for (Root root : roots) {
      if (root.contains(commitId, directory)) {
        Optional<Link> drop = root.drop(commitId, type);
        if (drop.isEmpty()) {
          return List.of();
        }
        drops.add(drop.get());
      }
    }
    return List.copyOf(drops);
  }

  /** Returns the newest commit of each existing branch; 0 for none. */
  public Map<BranchName, Long> heads() {
    return Map.copyOf(heads);
  }

  /** Returns the highest id of a commit that is kept, or 0 if there is none. */
  public long highestCommitId() {
    return roots.stream().mapToLong(root -> root.lineage().tip().commitId()).max().orElse(0);
  }

  /** Returns whether the attempt at a commit in this directory is a commit that is kept. */
  public boolean contains(long commitId, String directory) {
    return roots.stream().anyMatch(root -> root.contains(commitId, directory));
  }

  /** Returns whether a directory has the documents of an existing branch. */
  public boolean isEpochDirectory(String directory) {
    return homes.stream().anyMatch(directory::startsWith);
  }

  /** Returns notes of branches whose commits needn't be kept for their sake any more. */
  public List<ObjectInfo> expiredDropNotes() {
    return List.copyOf(oldNotes);
  }
}
