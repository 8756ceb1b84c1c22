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

/** Where queries keep copies of data files. */
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

  /** Settings of a process that asks once: no replica for itself, and no DuckDB for small files. */
  LedgerOptions settings() {
    return LedgerOptions.standard().withQueries(queries().withEngine(Engine.BY_SIZE));
  }

  /** Statements of people run in a process of their own, whatever they take. */
  QuerySettings queries() {
    QuerySettings queries =
        QuerySettings.standard()
            .withReplica(Replication.IF_WARM)
            .withIsolation(Isolation.OWN_PROCESS);
    return cache == null ? queries : queries.withCache(cache);
  }
}
