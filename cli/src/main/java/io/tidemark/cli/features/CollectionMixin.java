// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionAdministration;
import io.tidemark.api.features.CollectionRemoval;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.cli.terminal.ExitCodes;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Mixin of the changed collection and the actor. */
final class CollectionMixin {

  @Mixin private FeatureStorageMixin storage;
  @Mixin private ActorOptions actor;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String id;

  String id() {
    return id;
  }

  /** Applies an operation to the collection and prints the state that results. */
  int show(Function<CollectionAdministration, FeatureCollectionInfo> work) {
    FeatureCollectionInfo info = ask(work);
    storage.print(info.json(), CollectionFormatter.text(info));
    return ExitCodes.OK;
  }

  /**
   * Removes the collection and prints the result.
   *
   * @param removed text of a removal
   * @param absent text if there was nothing to remove
   */
  int remove(
      Function<CollectionAdministration, CollectionRemoval> work, String removed, String absent) {
    CollectionRemoval removal = ask(work);
    storage.print(WireJson.tree(removal), removal.done() ? removed : absent);
    return ExitCodes.OK;
  }

  private <T> T ask(Function<CollectionAdministration, T> work) {
    return storage.ask(
        service -> work.apply(service.with(actor.context()).collection(id).administration()));
  }
}
