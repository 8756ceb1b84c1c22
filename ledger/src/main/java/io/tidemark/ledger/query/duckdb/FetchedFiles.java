// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.query.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.TypeFiles.Resolved;
import io.tidemark.ledger.store.TypeFiles.Source;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files with the rows of a window, and copies of them. */
public record FetchedFiles(Resolved resolved, List<LocalFiles.Local> copies) {

  private static final Logger LOG = LoggerFactory.getLogger(FetchedFiles.class);

  /**
   * Fetches what isn't there. A snapshot may be gone that this process found long ago, or be
   * damaged. The index of now names another; and the files of the commits have the same rows,
   * whatever becomes of snapshots.
   */
  public static FetchedFiles of(
      KnownFiles known, LocalFiles files, TypeView view, Base base, Window window) {
    TypeId type = view.id();
    Resolved resolved = known.resolve(type, base, window);
    long migrated = migrated(type, base, window);
    for (int tries = 1; ; tries++) {
      try {
        return new FetchedFiles(
            resolved, files.get(view, resolved.sources(), source -> source.max() >= migrated));
      } catch (CorruptLedgerException e) {
        if (resolved.sources().stream().noneMatch(Source::isSnapshot)) {
          throw e;
        }
        LOG.warn("{}; looking elsewhere", e.getMessage());
        known.forget(type);
        resolved =
            tries == 1
                ? known.resolve(type, base, window)
                : known.resolveByCommits(type, base, window);
      }
    }
  }

  /**
   * The commit before which no row is in a state: a migration writes every row that there is anew.
   * Files from before it only tell which rows there were.
   */
  private static long migrated(TypeId type, Base base, Window window) {
    long commit =
        base.newest()
            .flatMap(Manifest::schemaCommits)
            .map(commits -> commits.getOrDefault(type, 0L))
            .orElse(0L);
    return window.shape() == Shape.STATE && window.upper() >= commit ? commit : 0;
  }
}
