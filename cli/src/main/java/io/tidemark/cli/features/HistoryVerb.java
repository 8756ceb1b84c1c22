// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.cli.ExitCodes;
import io.tidemark.features.Feature;
import io.tidemark.features.Features;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark features history COLLECTION ID}. */
@Command(
    name = "history",
    description = "Shows all states of a feature that are kept, the first first.",
    footer = {
      "",
      "Exit code 1: there is no such feature, and there was none.",
      "",
      "Examples:",
      "  tidemark features history roads r1",
      "  tidemark features history roads r1 --json"
    })
final class HistoryVerb implements Callable<Integer> {

  @Mixin private StorageChoice storage;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Parameters(index = "1", paramLabel = "ID", description = "Which feature.")
  private String id;

  @Override
  public Integer call() {
    return storage.with(this::show);
  }

  private int show(Features features) {
    List<Feature> states = features.read(reading -> reading.versions(collection, id));
    if (states.isEmpty()) {
      return new Found(storage).show(states, List.of(id));
    }
    storage.print(ShownFeatures.json(states), ShownFeatures.versions(states));
    return ExitCodes.OK;
  }
}
