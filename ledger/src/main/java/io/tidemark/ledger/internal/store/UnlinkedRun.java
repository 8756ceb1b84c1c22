// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Run of consecutive commits whose files don't say which commit touched a type before them, as
 * those of other programs. Found for all types by going back through the commits once.
 */
final class UnlinkedRun {

  private final NavigableMap<Long, String> paths = new TreeMap<>();
  private final Map<TypeId, NavigableMap<Long, DataFile>> files = new HashMap<>();
  private final NavigableMap<Long, Manifest> drops = new TreeMap<>();
  private Optional<Manifest> below = Optional.empty();

  private UnlinkedRun() {}

  /**
   * Goes back from a commit to the first before it that is linked, or to the first commit.
   *
   * @param known a run that may have some of the commits already
   */
  static UnlinkedRun upTo(Link newest, ManifestChain manifestChain, Optional<UnlinkedRun> known) {
    UnlinkedRun run = new UnlinkedRun();
    ChainPrefetcher chainPrefetcher = new ChainPrefetcher(manifestChain, 1);
    Link link = newest;
    Manifest manifest = manifestChain.at(link);
    while (!isLinked(manifest)) {
      run.add(link, manifest);
      Optional<Link> parent = manifest.parent();
      if (parent.isPresent() && known.filter(k -> k.contains(parent.get())).isPresent()) {
        run.addUpTo(parent.get().commitId(), known.get());
        return run;
      }
      chainPrefetcher.beforeStep(manifest, link.commitId() - 1);
      Optional<Manifest> before = manifestChain.parent(manifest);
      if (before.isEmpty()) {
        return run;
      }
      link = parent.orElseThrow();
      manifest = before.get();
    }
    run.below = Optional.of(manifest);
    return run;
  }

  /** Returns whether a commit says for every type which commit touched it last. */
  static boolean isLinked(Manifest manifest) {
    return manifest.hasTypes();
  }

  private void add(Link link, Manifest manifest) {
    long id = link.commitId();
    paths.put(id, link.path());
    for (DataFile file : manifest.files()) {
      files.computeIfAbsent(file.type(), type -> new TreeMap<>()).putIfAbsent(id, file);
    }
    if (Manifest.DROP_OPERATION.equals(manifest.metadata().path("operation").asText())) {
      drops.put(id, manifest);
    }
  }

  private void addUpTo(long commitId, UnlinkedRun known) {
    paths.putAll(known.paths.headMap(commitId, true));
    drops.putAll(known.drops.headMap(commitId, true));
    known.files.forEach(
        (type, theirs) ->
            files
                .computeIfAbsent(type, key -> new TreeMap<>())
                .putAll(theirs.headMap(commitId, true)));
    below = known.below;
  }

  boolean contains(Link commit) {
    return commit.path().equals(paths.get(commit.commitId()));
  }

  int size() {
    return paths.size();
  }

  /** Returns the commit before all of these; empty when they begin with the first. */
  Optional<Manifest> below() {
    return below;
  }

  /** Returns the last commit up to one that dropped a type; 0 for none. */
  long drop(TypeId type, long upTo) {
    return drops.headMap(upTo, true).descendingMap().entrySet().stream()
        .filter(each -> each.getValue().drops(type))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(0L);
  }

  /**
   * Returns the files of a type in commits after the lower and up to the upper one, the newest
   * first.
   */
  List<Map.Entry<Long, DataFile>> files(TypeId type, long lowerExclusive, long upTo) {
    NavigableMap<Long, DataFile> all = files.getOrDefault(type, new TreeMap<>());
    return upTo <= lowerExclusive
        ? List.of()
        : new ArrayList<>(all.subMap(lowerExclusive, false, upTo, true).descendingMap().entrySet());
  }
}
