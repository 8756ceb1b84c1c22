// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import io.tidemark.bench.events.EventsBenchCommand;
import io.tidemark.bench.features.FeaturesBenchCommand;
import io.tidemark.bench.ledger.LedgerBenchCommand;
import io.tidemark.bench.names.NamesBenchCommand;
import io.tidemark.bench.query.QueryBenchCommand;
import io.tidemark.bench.server.ServerBenchCommand;
import io.tidemark.bench.start.StartBenchCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark bench}: a verb for each room that is measured. */
@Command(
    name = "bench",
    description = {
      "Measures Tidemark beside its peers, in the same run, and prints the ratios.",
      "Absolute times are those of this machine at this moment; compare, don't quote."
    },
    subcommands = {
      ObjectsBenchCommand.class,
      NamesBenchCommand.class,
      LedgerBenchCommand.class,
      QueryBenchCommand.class,
      EventsBenchCommand.class,
      FeaturesBenchCommand.class,
      ServerBenchCommand.class,
      StartBenchCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench objects",
      "  tidemark bench objects --quick --json",
      "  tidemark bench names --only memory,directory",
      "  tidemark bench ledger --only bulk",
      "  tidemark bench query --only small",
      "  tidemark bench events --only idle",
      "  tidemark bench features --only table",
      "  tidemark bench server --only requests",
      "  tidemark bench start"
    })
public final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "what to measure is missing: objects, names, ledger, query, events, features, server or start");
  }
}
