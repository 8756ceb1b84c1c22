// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark features VERB}. */
@Command(
    description = "Keeps GeoJSON features in PostgreSQL, and every state they ever had.",
    subcommands = {CollectionVerb.class},
    footer = {
      "",
      "Examples:",
      "  tidemark features collection create roads --jdbc 'jdbc:postgresql://host/db?user=me'",
      "  tidemark features collection list"
    })
public final class FeaturesVerb implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
