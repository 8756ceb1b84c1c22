// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.Features;
import io.tidemark.features.cluster.ClusterState;
import io.tidemark.features.cluster.PrivateCluster;
import io.tidemark.features.db.FeaturesOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** {@code tidemark features up|down|status}: a PostgreSQL for people who have none. */
final class ClusterCommands {

  private ClusterCommands() {}

  /** Mixin of the cluster's location and the format of the output. */
  static final class ClusterMixin {
    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Mixin private NamesOptions options;

    PrivateCluster cluster() {
      return PrivateClusterLocator.locate(options.location())
          .orElseThrow(
              () ->
                  new ParameterException(
                      spec.commandLine(),
                      "a private PostgreSQL needs a directory, unlike --data "
                          + options.location()));
    }

    void print(PrivateCluster cluster, ClusterState state) {
      options.print(json(cluster, state), text(cluster, state));
    }

    void say(String what) {
      options.err().println("tidemark: " + what);
      options.err().flush();
    }
  }

  private static ObjectNode json(PrivateCluster cluster, ClusterState state) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("directory", cluster.directory().toString());
    if (state instanceof ClusterState.Running running) {
      json.put("state", "running").put("major", running.major()).put("pid", running.pid());
      json.put("port", running.port()).put("url", running.url().toString());
      return json.put("password_file", cluster.passwordFile().toString());
    }
    if (state instanceof ClusterState.Stopped stopped) {
      return json.put("state", "stopped").put("major", stopped.major());
    }
    return json.put("state", "absent");
  }

  private static String text(PrivateCluster cluster, ClusterState state) {
    if (state instanceof ClusterState.Running running) {
      String psql = "PGPASSFILE=%s psql -h 127.0.0.1 -p %d -U tidemark features";
      return Table.aligned(
          List.of(
              List.of("cluster", cluster.directory().toString()),
              List.of(
                  "server", "PostgreSQL %d, process %d".formatted(running.major(), running.pid())),
              List.of("database", running.url().toString()),
              List.of("psql", psql.formatted(cluster.passwordFile(), running.port()))));
    }
    return state instanceof ClusterState.Stopped
        ? "the PostgreSQL in " + cluster.directory() + " doesn't run"
        : "there is no PostgreSQL in " + cluster.directory();
  }

  @Command(
      name = "up",
      description =
          "Starts a private PostgreSQL with PostGIS, and makes it first if there is none: in the"
              + " directory of --data, from the programs on this machine, for this user only."
              + " The other verbs find it there. It goes on until 'down'.",
      footer = {
        "",
        "It listens on 127.0.0.1 and asks for a password, which is in a file that only",
        "its owner can read. As root it runs as the user postgres, and Debian's",
        "packages are installed if they are missing.",
        "",
        "Examples:",
        "  tidemark features up",
        "  tidemark features up --data /var/lib/tidemark --json"
      })
  static final class Up implements Callable<Integer> {
    @Mixin private ClusterMixin clusterMixin;

    @Option(
        names = "--storage",
        paramLabel = "ID",
        defaultValue = "${env:TIDEMARK_STORAGE:-store}",
        description = "How GUIDs begin. Default: $TIDEMARK_STORAGE, else store")
    private String storage = "store";

    @Override
    public Integer call() {
      PrivateCluster cluster = clusterMixin.cluster();
      ClusterState.Running running = cluster.up(clusterMixin::say);
      FeaturesOptions one = FeaturesOptions.defaults().withConnections(1);
      Features.open(running.url().secret(), storage, one).close();
      clusterMixin.print(cluster, running);
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "down",
      description = "Stops the private PostgreSQL. What is in it stays; 'up' starts it again.",
      footer = {"", "Examples:", "  tidemark features down"})
  static final class Down implements Callable<Integer> {
    @Mixin private ClusterMixin clusterMixin;

    @Override
    public Integer call() {
      PrivateCluster cluster = clusterMixin.cluster();
      boolean stopped = cluster.down();
      ClusterState state = cluster.state();
      clusterMixin.options.print(
          json(cluster, state),
          stopped ? "stopped the PostgreSQL in " + cluster.directory() : text(cluster, state));
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "status",
      description = "Says whether the private PostgreSQL runs, and how psql gets to it.",
      footer = {
        "",
        "Exit code 1: it doesn't run, or there is none.",
        "",
        "Examples:",
        "  tidemark features status --json"
      })
  static final class Status implements Callable<Integer> {
    @Mixin private ClusterMixin clusterMixin;

    @Override
    public Integer call() {
      PrivateCluster cluster = clusterMixin.cluster();
      ClusterState state = cluster.state();
      clusterMixin.print(cluster, state);
      return state instanceof ClusterState.Running ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }
}
