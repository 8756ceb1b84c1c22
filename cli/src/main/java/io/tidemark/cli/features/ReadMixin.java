// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureService;
import io.tidemark.features.db.FeaturesOptions;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Mixin of reads: the storage or its replicas, and how recent the answer has to be. */
final class ReadMixin {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Mixin private FeatureStorageMixin storage;
  @Mixin private ReplicaOptions replicas;

  @Option(
      names = "--min-txn",
      paramLabel = "TXN",
      description = {
        "See at least what this transaction did. A replica",
        "that doesn't have it within a second isn't read."
      })
  private @Nullable Long minTxn;

  FeatureStorageMixin storage() {
    return storage;
  }

  /** Applies reads to the storage, its replicas or a server. */
  <T> T ask(Function<FeatureService, T> work) {
    boolean isHere = storage.server().isEmpty();
    if (!isHere && replicas.given()) {
      throw new ParameterException(
          spec.commandLine(),
          "a server reads its own replicas; leave out --replica, or give --jdbc");
    }
    FeaturesOptions settings =
        isHere
            ? FeatureStorageMixin.SETTINGS.withReplicas(replicas.urls("--jdbc"))
            : FeatureStorageMixin.SETTINGS;
    FeatureContext standard = FeatureContext.standard();
    FeatureContext context = minTxn == null ? standard : standard.since(minTxn);
    return storage.ask(settings, service -> work.apply(service.with(context)));
  }
}
