// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.names.NameService;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of the ledgers of a server.
 *
 * @param cache directory of the local cache of data files and replicas; empty for the user's own
 * @param memory memory that queries of one ledger may use before they spill to disk, such as {@code
 *     256MB}
 * @param open maximum number of ledgers that are kept open
 * @param places allowed locations of ledgers
 * @param isolation isolation of SQL statements
 */
@RecordBuilder
public record LedgerSettings(
    Optional<Path> cache,
    String memory,
    int open,
    AllowedLedgerLocations places,
    Isolation isolation)
    implements LedgerSettingsBuilder.With {

  private static final String RUNTIME = "tidemark-server";

  public LedgerSettings {
    if (open < 1) {
      throw new IllegalArgumentException("at least one ledger has to be open, not " + open);
    }
  }

  public static LedgerSettings standard() {
    return new LedgerSettings(
        Optional.empty(), "256MB", 64, AllowedLedgerLocations.besideNames(), Isolation.OWN_PROCESS);
  }

  /** Returns an empty cache of ledgers. */
  public LedgerCache cache(NameService names) {
    return new LedgerCache(names, places, options(), open);
  }

  /** Returns the options with which ledgers are opened. */
  public LedgerOptions options() {
    QuerySettings queries =
        QuerySettings.standard().withMemoryLimit(memory).withIsolation(isolation);
    return LedgerOptions.standard()
        .withWriter(WriterSettings.standard().withRuntimeId(RUNTIME))
        .withQueries(cache.map(queries::withCache).orElse(queries));
  }
}
