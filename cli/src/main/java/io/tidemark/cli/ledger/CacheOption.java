// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.query.QuerySettings;
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
        "Where copies of data files are kept.",
        "Default: $TIDEMARK_CACHE, else ~/.cache/tidemark"
      })
  private @Nullable Path cache;

  LedgerOptions settings() {
    LedgerOptions settings = LedgerChoice.settings();
    return cache == null
        ? settings
        : settings.withQueries(QuerySettings.standard().withCache(cache));
  }
}
