// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.Listing;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cache of listings that had nothing to list, with the directory's modification time then. A reader
 * that polls for keys after those it knows repeats the same listing. Reading a directory takes the
 * longer the more entries come before those keys, so a directory that hasn't changed isn't read
 * again.
 */
final class EmptyListingCache {

  private static final int MOST = 1_000;

  private final Map<Listing, FileTime> known = new ConcurrentHashMap<>();

  /**
   * Returns whether there was nothing in the directory as it is now, by the time of its last
   * change.
   */
  boolean has(Listing listing, FileTime changed) {
    return changed.equals(known.get(listing));
  }

  /** Notes that there was nothing, neither objects nor directories that may hold some. */
  void add(Listing listing, FileTime changed) {
    if (known.size() >= MOST) {
      known.clear();
    }
    known.put(listing, changed);
  }
}
