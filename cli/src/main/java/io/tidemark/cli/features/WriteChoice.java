// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.Ticking;
import io.tidemark.features.view.RowsJson;
import io.tidemark.features.view.WritesJson;
import io.tidemark.features.write.Write;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where features are to be written, by whom, and what the log is to say of it. */
final class WriteChoice {

  @Mixin private StorageChoice storage;
  @Mixin private ActorOptions actor;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "ID=TEXT",
      description = "A message in the transaction log; can be repeated.")
  private Map<String, String> messages = Map.of();

  /** Does all of it in one transaction, or nothing, and tells what became of each. */
  int write(List<Write> writes) {
    WritesJson batch = new WritesJson(writes, messages);
    String text = "writing %s to %s ...".formatted(Plural.of(writes.size(), "feature"), collection);
    JsonNode written;
    try (Ticking unused = Ticking.on(storage.progress(), text)) {
      written =
          storage.answer(
              features -> RowsJson.of(features.write(actor.actor(), collection, writes, messages)),
              server -> actor.of(server).write(collection, batch.json()).json());
    }
    return new WrittenRows(written).print(storage);
  }
}
