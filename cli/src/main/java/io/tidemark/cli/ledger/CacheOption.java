// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.ledger.query.QuerySettings.Replication;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for the directory of cached data files. */
final class CacheOption {

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      defaultValue = "${env:TIDEMARK_CACHE}",
      description = {
        "Where copies of data files and replicas are kept.",
        "Default: $TIDEMARK_CACHE, else ~/.cache/tidemark"
      })
  private @Nullable Path cache;

  /** Returns settings for a single query: no new replica, and no DuckDB for small files. */
  LedgerOptions settings() {
    return LedgerOptions.standard().withQueries(queries().withEngine(Engine.BY_SIZE));
  }

  /** Returns settings that run any statement in a process of its own. */
  QuerySettings queries() {
    QuerySettings queries =
        QuerySettings.standard()
            .withReplica(Replication.IF_WARM)
            .withIsolation(Isolation.OWN_PROCESS);
    return cache == null ? queries : queries.withCache(cache);
  }
}
