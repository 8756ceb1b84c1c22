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
 * Snapshots that no index names any more, of any branch: merged into another, or left behind by a
 * compaction that came to nothing.
 *
 * <p>Somebody who read the index before may still be about to read them, which is why only those
 * are taken that have been out of use for long. Since when they are is told by a note that is put
 * beside a snapshot before an index lets go of it; one without a note was never in use, or its
 * index was lost. Readers who come later still read the files of commits instead.
 */
public final class ObsoleteSnapshots {

  private final LedgerObjects objects;

  /** Looks at all branches, whichever these objects are of. */
  public ObsoleteSnapshots(LedgerObjects objects) {
    this.objects = objects.forBranch(BranchName.MAIN);
  }

  /**
   * A snapshot out of use.
   *
   * @param since when it was last in use, or written
   */
  public record ObsoleteSnapshot(String path, long bytes, Instant since) {}

  /** Finds snapshots that have been out of use for at least so long. */
  public List<ObsoleteSnapshot> find(Duration minAge) {
    Instant limit = objects.store().clock().instant().minus(minAge);
    Map<String, ObjectInfo> found = new TreeMap<>();
    try (Stream<ObjectInfo> listed = objects.list(LedgerLayout.SNAPSHOTS)) {
      listed.forEach(info -> found.put(objects.path(info.key()), info));
    }
    // The indices are read after the list: what came into use meanwhile is in one of them.
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

  /** Every path in an index; those of garbage count for nothing, as they do for readers. */
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

  /** Deletes one; its note last, so that a crash leaves what is found again. */
  public void delete(ObsoleteSnapshot obsoleteSnapshot) {
    objects.delete(obsoleteSnapshot.path());
    if (LedgerLayout.notedSnapshot(obsoleteSnapshot.path()).isEmpty()) {
      objects.delete(LedgerLayout.supersededNote(obsoleteSnapshot.path()));
    }
  }
}
