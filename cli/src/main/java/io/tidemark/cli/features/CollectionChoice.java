// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.cli.ExitCodes;
import io.tidemark.features.CollectionInfo;
import io.tidemark.features.Collections;
import java.util.function.Function;
import java.util.function.ToIntFunction;
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
   * Changes something in a transaction of its own, and prints what came of it.
   *
   * @param shown prints it and says what to end with
   */
  <T> int change(Function<Collections, T> change, ToIntFunction<T> shown) {
    return storage.with(
        features -> {
          T changed = features.transact(actor.actor(), tx -> change.apply(tx.collections()));
          return shown.applyAsInt(changed);
        });
  }

  /** Looks at it, and changes nothing. */
  int look() {
    return storage.with(features -> show(features.read(reading -> reading.collection(id))));
  }

  /** Prints a collection as it is. */
  int show(CollectionInfo info) {
    storage.print(info.json(), ShownCollection.text(info));
    return ExitCodes.OK;
  }
}
