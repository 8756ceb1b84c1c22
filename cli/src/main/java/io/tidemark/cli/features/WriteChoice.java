// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.cli.terminal.Ticking;
import io.tidemark.features.Features;
import io.tidemark.features.Transaction;
import io.tidemark.features.Write;
import io.tidemark.features.WriteResult;
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
    return storage.with(features -> watched(features, writes).print(storage));
  }

  private WrittenRows watched(Features features, List<Write> writes) {
    String text = "writing %d features to %s ...".formatted(writes.size(), collection);
    try (Ticking unused = Ticking.on(storage.progress(), text)) {
      return write(features, writes);
    }
  }

  private WrittenRows write(Features features, List<Write> writes) {
    try (Transaction transaction = features.begin(actor.actor())) {
      WriteResult result = transaction.write(collection, writes);
      WrittenRows rows = new WrittenRows(result, transaction.txn());
      if (result.done()) {
        messages.forEach((id, text) -> transaction.message(id, text, null));
        transaction.commit();
      }
      return rows;
    }
  }
}
