// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.CommitOutcome;
import io.tidemark.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark features outcome TRANSACTION BEGAN}. */
@Command(
    name = "outcome",
    description =
        "Says what became of a write whose connection broke during its commit, so that it isn't"
            + " done twice. The message that told of it has the transaction and when it began.",
    footer = {
      "",
      "Exit code 0: it took place. 1: it didn't, and can be done again. 5: nobody can",
      "say yet.",
      "",
      "Examples:",
      "  tidemark features outcome 1234 '2026-11-16 12:00:00.123456+00'",
      "  tidemark features outcome 1234 2026-11-16T12:00:00.123456Z --json"
    })
final class OutcomeCommand implements Callable<Integer> {

  @Mixin private FeatureStorageMixin storage;

  @Parameters(
      index = "0",
      paramLabel = "TRANSACTION",
      description = "Its id in PostgreSQL, the psql_id of the log.")
  private String transaction;

  @Parameters(
      index = "1",
      paramLabel = "BEGAN",
      description = "When it began, the ts of the log, to the microsecond.")
  private String began;

  @Override
  public Integer call() {
    CommitOutcome outcome = storage.ask(service -> service.log().outcome(transaction, began));
    storage.print(
        WireJson.tree(outcome),
        outcome.tookPlace()
            ? "it took place; don't do it again"
            : "it didn't take place; do it again");
    return outcome.tookPlace() ? ExitCodes.OK : ExitCodes.FAILED;
  }
}
