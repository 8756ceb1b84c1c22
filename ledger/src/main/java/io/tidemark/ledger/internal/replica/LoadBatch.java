// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DataFileCache.CachedFile;
import io.tidemark.ledger.internal.duckdb.LocalFileSet;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import java.util.ArrayList;
import java.util.List;

/**
 * Batch of files that are loaded in one go: as many as are no burden, or a large one alone. Of a
 * large file of one commit it needn't be found out which version of a row follows which.
 *
 * @param after rows up to this commit aren't wanted
 * @param upTo with this step every row up to this commit is there
 */
record LoadBatch(List<Source> sources, List<CachedFile> copies, long after, long upTo) {

  private static final int MOST_FILES = 2_000;
  private static final long LARGE = 16 << 20;
  private static final long MOST_BYTES = 256 << 20;

  LoadBatch {
    sources = List.copyOf(sources);
    copies = List.copyOf(copies);
  }

  /** Returns the steps in which missing files are fed up to a head. */
  static List<LoadBatch> of(LocalFileSet missing, long head) {
    List<Source> sources = missing.resolved().sources();
    List<CachedFile> copies = missing.copies();
    List<LoadBatch> steps = new ArrayList<>();
    long after = missing.resolved().lowerExclusive();
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < sources.size(); i++) {
      bytes += copies.get(i).bytes();
      boolean last = i == sources.size() - 1;
      boolean full =
          last
              || bytes > MOST_BYTES
              || i - first + 1 == MOST_FILES
              || copies.get(i).bytes() >= LARGE
              || copies.get(i + 1).bytes() >= LARGE;
      if (full) {
        long upTo = last ? head : sources.get(i).max();
        steps.add(
            new LoadBatch(
                sources.subList(first, i + 1), copies.subList(first, i + 1), after, upTo));
        after = upTo;
        first = i + 1;
        bytes = 0;
      }
    }
    return steps;
  }

  boolean isOfOneCommit() {
    return sources.size() == 1 && sources.get(0).max() == Math.max(sources.get(0).min(), after + 1);
  }
}
