// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureWrite;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.ProgressTicker;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mixin of writes: the storage, the actor, and the entry in the log. */
final class WriteMixin {

  @Mixin private FeatureStorageMixin storage;
  @Mixin private ActorOptions actor;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "ID=TEXT",
      description = "A message in the transaction log; can be repeated.")
  private Map<String, String> messages = Map.of();

  /** Applies all writes in one transaction, or none, and prints the result of each. */
  int write(List<FeatureWrite> writes) {
    FeatureBatch batch = FeatureBatch.of(writes, messages);
    String text = "writing %s to %s ...".formatted(Plural.of(writes.size(), "feature"), collection);
    WrittenFeatures written;
    try (ProgressTicker unused = ProgressTicker.on(storage.progress(), text)) {
      written =
          storage.ask(service -> service.with(actor.context()).collection(collection).write(batch));
    }
    return new BatchResultPrinter(written).print(storage);
  }
}
