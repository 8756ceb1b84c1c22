// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.cli.features.FeatureStorageMixin;
import io.tidemark.cli.features.PrivateClusterLocator;
import io.tidemark.cli.features.ReplicaOptions;
import io.tidemark.features.Features;
import io.tidemark.features.cluster.PrivateCluster;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.db.JdbcUrl;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of the features that a server serves. */
final class ServeFeatureOptions {

  private static final String EMBEDDED = "embedded";

  /** Maximum number of concurrent requests to the database; other requests wait. */
  private static final int CONNECTIONS = 16;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--features",
      paramLabel = "URL|embedded",
      defaultValue = "${env:TIDEMARK_JDBC:-}",
      description = {
        "The database of features: jdbc:postgresql://host/db,",
        "or 'embedded' for a private PostgreSQL in the",
        "directory of --data. Default: $TIDEMARK_JDBC, else none"
      })
  private String jdbc = "";

  @Option(
      names = "--storage",
      paramLabel = "ID",
      defaultValue = "${env:TIDEMARK_STORAGE:-store}",
      description = "How GUIDs begin. Default: $TIDEMARK_STORAGE, else store")
  private String storage = "store";

  @Mixin private ReplicaOptions replicas;

  /** Open features with their private cluster. */
  record OpenFeatures(Optional<Features> features, Optional<PrivateCluster.Usage> cluster)
      implements AutoCloseable {
    @Override
    public void close() {
      features.ifPresent(Features::close);
      cluster.ifPresent(PrivateCluster.Usage::close);
    }
  }

  /**
   * Opens the features, if any are configured.
   *
   * @param data where a private cluster would be
   * @param told receives a message before each long step
   */
  OpenFeatures open(String data, Consumer<String> told) {
    boolean elsewhere = !jdbc.isEmpty() && !jdbc.equals(EMBEDDED);
    if (replicas.given() && !elsewhere) {
      throw new ParameterException(
          spec.commandLine(),
          "--replica is a replica of the database that --features names; give its URL");
    }
    if (jdbc.isEmpty()) {
      return new OpenFeatures(Optional.empty(), Optional.empty());
    }
    if (elsewhere) {
      return new OpenFeatures(
          Optional.of(
              features(
                  FeatureStorageMixin.withEnvironmentPassword(jdbc), replicas.urls("--features"))),
          Optional.empty());
    }
    PrivateCluster cluster =
        PrivateClusterLocator.locate(data)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--features embedded needs a directory as --data; give the URL of a"
                            + " PostgreSQL instead"));
    PrivateCluster.Usage usage = cluster.use(told);
    try {
      return new OpenFeatures(Optional.of(features(usage.url(), List.of())), Optional.of(usage));
    } catch (RuntimeException e) {
      try (usage) {
        throw e;
      }
    }
  }

  private Features features(JdbcUrl url, List<String> followers) {
    return Features.open(
        url.secret(),
        storage,
        FeaturesOptions.defaults().withConnections(CONNECTIONS).withReplicas(followers));
  }
}
