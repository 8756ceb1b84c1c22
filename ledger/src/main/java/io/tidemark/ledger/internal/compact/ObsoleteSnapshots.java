// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Collector of snapshots that no index of any branch names any more: merged into another, or left
 * behind by a failed compaction.
 *
 * <p>A reader of an earlier index may still be about to read them, so only those that have been out
 * of use for long are collected. A note beside a snapshot, written before an index drops it, tells
 * since when it is out of use; one without a note was never in use, or its index was lost. Later
 * readers can still read the files of commits instead.
 */
public final class ObsoleteSnapshots {

  private final LedgerObjects objects;

  /** Creates the collector for all branches, whichever these objects belong to. */
  public ObsoleteSnapshots(LedgerObjects objects) {
    this.objects = objects.forBranch(BranchName.MAIN);
  }

  /**
   * Snapshot out of use.
   *
   * @param since time when it was last in use, or written
   */
  public record ObsoleteSnapshot(String path, long bytes, Instant since) {}

  /** Finds snapshots that have been out of use for at least this time. */
  public List<ObsoleteSnapshot> find(Duration minAge) {
    Instant limit = objects.store().clock().instant().minus(minAge);
    Map<String, ObjectInfo> found = new TreeMap<>();
    try (Stream<ObjectInfo> listed = objects.list(LedgerLayout.SNAPSHOTS)) {
      listed.forEach(info -> found.put(objects.path(info.key()), info));
    }
    // The indices are read after the list, so they name all that came into use meanwhile.
    Set<String> used = found.isEmpty() ? Set.of() : referencedPaths();
    List<ObsoleteSnapshot> old = new ArrayList<>();
    found.forEach(
        (path, info) -> {
          Optional<String> noted = LedgerLayout.notedSnapshot(path);
          boolean isNoteOfOne = noted.isPresent() && found.containsKey(noted.get());
          if (!isNoteOfOne && !used.contains(path) && !used.contains(noted.orElse(path))) {
            old.add(new ObsoleteSnapshot(path, info.size(), since(path, info, found)));
          }
        });
    old.removeIf(each -> each.since().isAfter(limit));
    return old;
  }

  private static Instant since(String path, ObjectInfo info, Map<String, ObjectInfo> found) {
    ObjectInfo note = found.get(LedgerLayout.supersededNote(path));
    return note != null && note.lastModified().isAfter(info.lastModified())
        ? note.lastModified()
        : info.lastModified();
  }

  /** Returns every path in an index; invalid indices are ignored, as readers do. */
  private Set<String> referencedPaths() {
    Set<String> paths = new HashSet<>();
    for (String place : List.of(LedgerLayout.INDICES, LedgerLayout.BRANCHES)) {
      List<String> indices;
      try (Stream<ObjectInfo> listed = objects.list(place)) {
        indices =
            listed.map(info -> objects.path(info.key())).filter(LedgerLayout::isIndex).toList();
      }
      for (String index : indices) {
        objects.get(index).ifPresent(stored -> paths.addAll(paths(stored.bytes())));
      }
    }
    return paths;
  }

  private static List<String> paths(byte[] index) {
    List<String> paths = new ArrayList<>();
    try {
      for (JsonNode entry : CanonicalJson.parse(index).path("entries")) {
        paths.add(entry.path("path").asText());
      }
    } catch (IOException e) {
      return List.of();
    }
    return paths;
  }

  /** Deletes a snapshot, its note last, so that a crash leaves a note that is found again. */
  public void delete(ObsoleteSnapshot obsoleteSnapshot) {
    objects.delete(obsoleteSnapshot.path());
    if (LedgerLayout.notedSnapshot(obsoleteSnapshot.path()).isEmpty()) {
      objects.delete(LedgerLayout.supersededNote(obsoleteSnapshot.path()));
    }
  }
}
