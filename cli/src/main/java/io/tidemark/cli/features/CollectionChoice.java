// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.client.features.HttpFeatures;
import io.tidemark.features.collection.Collections;
import io.tidemark.features.model.CollectionInfo;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which collection is to be changed, and by whom. */
final class CollectionChoice {

  @Mixin private StorageChoice storage;
  @Mixin private ActorOptions actor;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String id;

  String id() {
    return id;
  }

  StorageChoice storage() {
    return storage;
  }

  /**
   * Changes something in a transaction of its own.
   *
   * @param here in the database
   * @param there by a server
   */
  JsonNode change(
      Function<Collections, ? extends JsonNode> here,
      Function<HttpFeatures, ? extends JsonNode> there) {
    return storage.answer(
        features -> features.transact(actor.actor(), tx -> here.apply(tx.collections())),
        server -> there.apply(actor.of(server)));
  }

  /** Looks at it, and changes nothing. */
  int look() {
    return show(
        storage.answer(
            features -> features.read(reading -> reading.collection(id)).json(),
            server -> server.collection(id)));
  }

  /** Prints a collection as it is. */
  int show(JsonNode info) {
    storage.print(info, ShownCollection.text(new CollectionInfo(info)));
    return ExitCodes.OK;
  }
}
