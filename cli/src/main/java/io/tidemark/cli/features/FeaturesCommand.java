// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark features VERB}. */
@Command(
    description = "Keeps GeoJSON features in PostgreSQL, and every state they ever had.",
    subcommands = {
      ClusterCommands.Up.class,
      ClusterCommands.Down.class,
      ClusterCommands.Status.class,
      CollectionCommand.class,
      PutCommand.class,
      GetCommand.class,
      DeleteCommand.class,
      HistoryCommand.class,
      AtCommand.class,
      FeatureQueryCommand.class,
      FeatureLogCommand.class,
      OutcomeCommand.class,
      SequenceCommand.class,
      MaintainCommand.class,
      LoadCommand.class,
      FeatureExportCommand.class
    },
    footer = {
      "",
      "The database is that of --jdbc, else of $TIDEMARK_JDBC, else the private one",
      "that 'up' made in the directory of --data. With --server, a server does it.",
      "",
      "Examples:",
      "  tidemark features up                   A private PostgreSQL, if you have none",
      "  tidemark features collection create roads",
      "  tidemark features put roads roads.geojson",
      "  tidemark features get roads r1 --jdbc 'jdbc:postgresql://host/db?user=me'",
      "  tidemark features query roads --bbox 8.6,50.1,8.7,50.2",
      "  tidemark features history roads r1",
      "  tidemark features load roads roads.geojson --create",
      "  tidemark features export roads roads.parquet",
      "  tidemark features COMMAND --help"
    })
public final class FeaturesCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
