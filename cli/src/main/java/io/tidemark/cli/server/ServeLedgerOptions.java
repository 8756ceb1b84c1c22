// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.ledgers.AllowedLedgerLocations;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.remotes.AllowedRemoteLocations;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of the ledgers that a server serves. */
final class ServeLedgerOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      defaultValue = "${env:TIDEMARK_CACHE}",
      description = {
        "Where copies of data files and replicas are kept.",
        "Default: $TIDEMARK_CACHE, else ~/.cache/tidemark"
      })
  private @Nullable Path cache;

  @Option(
      names = "--ledgers-at",
      paramLabel = "PLACE/",
      description = {
        "Serve ledgers whose config says that they are below this place, such as",
        "s3://bucket/; can be repeated. Others than those beside their names are",
        "refused, unless none is named and only this machine can reach the server."
      })
  private List<String> places = List.of();

  @Option(
      names = "--remotes-at",
      paramLabel = "PLACE",
      description = {
        "Let those who run the server by its API use a remote at this location,",
        "or at any that begins with it if it ends with '/'; can be repeated. Others are",
        "refused, unless none is named and only this machine can reach the server."
      })
  private List<String> remotes = List.of();

  @Option(
      names = "--allow-unlimited-sql",
      description = {
        "Run SQL also where the system can't limit the memory of its process, as",
        "without /bin/sh: a statement may then take all of it."
      })
  private boolean unlimitedSql;

  /** Returns the settings with these options applied. */
  ServerSettings in(ServerSettings settings) {
    for (String place : places) {
      if (!place.endsWith("/")) {
        throw new ParameterException(
            spec.commandLine(), "--ledgers-at takes a place that ends with '/', unlike " + place);
      }
    }
    LedgerSettings ledgers = settings.ledgers().withPlaces(AllowedLedgerLocations.below(places));
    if (unlimitedSql) {
      ledgers = ledgers.withIsolation(Isolation.UNLIMITED_PROCESS);
    }
    return settings
        .withLedgers(cache == null ? ledgers : ledgers.withCache(Optional.of(cache)))
        .withRemotes(AllowedRemoteLocations.at(remotes));
  }
}
