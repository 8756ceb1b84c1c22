// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.features.HttpFeatures;
import io.tidemark.features.Features;
import io.tidemark.features.model.Txn;
import io.tidemark.features.read.Reading;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where features are read, and how new the answer has to be. */
final class ReadChoice {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Mixin private StorageChoice storage;
  @Mixin private ReplicaOptions replicas;

  @Option(
      names = "--min-txn",
      paramLabel = "TXN",
      description = {
        "See at least what this transaction did. A replica",
        "that doesn't have it within a second isn't read."
      })
  private @Nullable Long minTxn;

  StorageChoice storage() {
    return storage;
  }

  /**
   * Reads, in the database, a replica of it, or by a server.
   *
   * @param here in the database
   * @param there by a server
   */
  JsonNode answer(
      Function<Reading, ? extends JsonNode> here,
      Function<HttpFeatures, ? extends JsonNode> there) {
    Optional<Txn> since = Optional.ofNullable(minTxn).map(Txn::new);
    Optional<String> server = storage.server();
    if (server.isEmpty()) {
      return storage.with(
          StorageChoice.SETTINGS.withReplicas(replicas.urls("--jdbc")), read(since, here));
    }
    if (replicas.given()) {
      throw new ParameterException(
          spec.commandLine(),
          "a server reads its own replicas; leave out --replica, or give --jdbc");
    }
    HttpFeatures features = HttpFeatures.at(server.get());
    return there.apply(since.map(txn -> features.since(txn.value())).orElse(features));
  }

  private static Function<Features, JsonNode> read(
      Optional<Txn> since, Function<Reading, ? extends JsonNode> here) {
    return features ->
        since.isPresent() ? features.readSince(since.get(), here) : features.read(here);
  }
}
