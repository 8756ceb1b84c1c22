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

/** The files with the rows of a window, and copies of them. */
public record LocalFileSet(ResolvedFiles resolved, List<DataFileCache.CachedFile> copies) {

  private static final Logger LOG = LoggerFactory.getLogger(LocalFileSet.class);

  /**
   * Fetches what isn't there. A snapshot may be gone that this process found long ago, or be
   * damaged. The index of now names another; and the files of the commits have the same rows,
   * whatever becomes of snapshots.
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
   * Tells files that may have rows of the window to be shown in another version. A migration writes
   * every row that there is anew, so a state since the last one has rows of one version. Files from
   * before it only tell which rows there were, and so do older versions of rows in a snapshot.
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
