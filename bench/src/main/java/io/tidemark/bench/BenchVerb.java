// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import io.tidemark.bench.events.EventsVerb;
import io.tidemark.bench.features.FeaturesVerb;
import io.tidemark.bench.ledger.LedgerVerb;
import io.tidemark.bench.names.NamesVerb;
import io.tidemark.bench.query.QueryVerb;
import io.tidemark.bench.server.ServerVerb;
import io.tidemark.bench.start.StartVerb;
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
      ObjectsVerb.class,
      NamesVerb.class,
      LedgerVerb.class,
      QueryVerb.class,
      EventsVerb.class,
      FeaturesVerb.class,
      ServerVerb.class,
      StartVerb.class
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
public final class BenchVerb implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "what to measure is missing: objects, names, ledger, query, events, features, server or start");
  }
}
