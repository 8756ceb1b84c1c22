// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.TypeFileResolver.ResolvedFiles;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.internal.store.TypeSummary;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Set of the files with the rows of a window, and of copies of them. */
public record LocalFileSet(ResolvedFiles resolved, List<DataFileCache.CachedFile> copies) {

  private static final Logger LOG = LoggerFactory.getLogger(LocalFileSet.class);

  /**
   * Fetches missing files. A snapshot that this process found long ago may be deleted or damaged.
   * The current index then names another; and the files of the commits have the same rows, with or
   * without snapshots.
   */
  public static LocalFileSet of(
      TypeFileCache known,
      DataFileCache files,
      TypeView view,
      PinnedHead pinnedHead,
      Window window) {
    TypeId type = view.id();
    ResolvedFiles resolvedFiles = known.resolve(type, pinnedHead, window);
    Predicate<Source> isShown = isShown(view, pinnedHead, window);
    for (int tries = 1; ; tries++) {
      try {
        return new LocalFileSet(resolvedFiles, files.get(view, resolvedFiles.sources(), isShown));
      } catch (CorruptLedgerException e) {
        if (resolvedFiles.sources().stream().noneMatch(Source::isSnapshot)) {
          throw e;
        }
        LOG.warn("{}; looking elsewhere", e.getMessage());
        known.invalidate(type);
        resolvedFiles =
            tries == 1
                ? known.resolve(type, pinnedHead, window)
                : known.resolveByCommits(type, pinnedHead, window);
      }
    }
  }

  /**
   * Returns the predicate for files that may have rows of the window to be shown in another
   * version. A migration rewrites every present row, so a state since the last one has rows of one
   * version. Files from before it only tell which rows existed, and so do older versions of rows in
   * a snapshot.
   */
  private static Predicate<Source> isShown(TypeView view, PinnedHead pinnedHead, Window window) {
    TypeSummary summary = pinnedHead.type(view.id());
    long migration = summary.schemaCommit();
    boolean isSince =
        (migration > 0 && window.upper() >= migration)
            || window.upper() >= pinnedHead.head().commitId();
    if (window.shape() != Shape.STATE || !isSince) {
      return source -> true;
    }
    boolean isAsWritten = summary.version() > 0 && !view.others().containsKey(summary.version());
    return source -> !isAsWritten && source.max() >= migration;
  }
}
