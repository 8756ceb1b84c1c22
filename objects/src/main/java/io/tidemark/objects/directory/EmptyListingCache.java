// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.Listing;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listings that had nothing to list, and how old the directory was then. Whoever waits for keys
 * that come after those it knows asks the same again and again, and reading a directory takes the
 * longer the more there is before them; one that hasn't changed need not be read again.
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
