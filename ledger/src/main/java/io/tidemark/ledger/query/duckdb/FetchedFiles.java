// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
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
      KnownFiles known, LocalFiles files, TypeId type, Base base, Window window) {
    Resolved resolved = known.resolve(type, base, window);
    for (int tries = 1; ; tries++) {
      try {
        return new FetchedFiles(resolved, files.get(resolved.sources()));
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
}
