// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import java.util.ArrayList;
import java.util.List;

/**
 * Policy that decides which neighbours among a type's files are merged, by their number of rows.
 *
 * <p>Files belong to the same tier when none has more than some five times the rows of another;
 * those of up to {@value #SMALL} rows are all alike. A tier that is full becomes one file, which is
 * then of a higher tier, where it may make that one full. So a row is rewritten only when it comes
 * into a file of about twice the size or more. The number of rewrites grows with the logarithm of
 * all rows, and so does the number of files that are left.
 *
 * <p>Only neighbours can be merged, since a file has the rows of a range of commits. A small file
 * among large ones therefore counts as one of them: the tier of a stretch is that of its largest
 * file, and reaches to the last file of that size. The levels are those by which Lucene merges the
 * segments of a log.
 *
 * @param least number of files that make a tier full
 */
record TieredMergePolicy(int least) {

  private static final int FAN_OUT = 8;
  private static final long SMALL = 1_000;
  private static final double SPAN = 0.75;

  static TieredMergePolicy of(CompactionScope compactionScope) {
    return new TieredMergePolicy(compactionScope == CompactionScope.FULL_TIERS ? FAN_OUT : 2);
  }

  /** Run of neighbours that become one file: from one position to another, both included. */
  record Run(int first, int last, long rows) {

    int size() {
      return last - first + 1;
    }

    double level() {
      return Math.log((double) Math.max(rows, SMALL) / SMALL) / Math.log(FAN_OUT);
    }
  }

  /** Returns all runs that are to be merged, each file at most once. */
  List<Run> runs(List<Long> rows) {
    List<Run> files = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      files.add(new Run(i, i, rows.get(i)));
    }
    for (List<Run> next = merged(files); next.size() < files.size(); next = merged(files)) {
      files = next;
    }
    return files.stream().filter(run -> run.size() > 1).toList();
  }

  /** Returns the files after each full tier has become one. */
  private List<Run> merged(List<Run> files) {
    List<Run> result = new ArrayList<>();
    for (int start = 0; start < files.size(); ) {
      List<Run> tier = files.subList(start, end(files, start));
      if (tier.size() >= least) {
        long rows = tier.stream().mapToLong(Run::rows).sum();
        result.add(new Run(tier.get(0).first(), tier.get(tier.size() - 1).last(), rows));
      } else {
        result.addAll(tier);
      }
      start += tier.size();
    }
    return result;
  }

  /** Returns where the tier ends that begins here. */
  private static int end(List<Run> files, int start) {
    double highest =
        files.subList(start, files.size()).stream().mapToDouble(Run::level).max().orElse(0);
    int end = files.size();
    while (files.get(end - 1).level() < highest - SPAN) {
      end--;
    }
    return end;
  }
}
