// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.features.CollectionInfo;
import io.tidemark.features.Feature;
import io.tidemark.features.Features;
import io.tidemark.features.Reading;
import java.util.List;
import java.util.function.Function;

/**
 * Prints what was asked for by name, and says what of it isn't there.
 *
 * @param storage where to print
 */
record Found(StorageChoice storage) {

  /** What was read, and where from. */
  private record Answer(List<Feature> features, CollectionInfo collection) {

    boolean has(String id) {
      String stored = collection.stored(id);
      return features.stream().anyMatch(feature -> feature.id().orElse("").equals(stored));
    }
  }

  /**
   * Those of the ids that are there.
   *
   * @param read looks for them
   */
  int ofIds(
      Features features,
      String collection,
      List<String> ids,
      Function<Reading, List<Feature>> read) {
    Answer answer =
        features.read(reading -> new Answer(read.apply(reading), reading.collection(collection)));
    return show(answer.features(), ids.stream().filter(id -> !answer.has(id)).toList());
  }

  /** Prints both, and says what to end with. */
  int show(List<Feature> found, List<String> missing) {
    ObjectNode json = ShownFeatures.json(found);
    missing.forEach(json.putArray("missing")::add);
    storage.print(json, found.isEmpty() ? "no features" : ShownFeatures.table(found));
    if (missing.isEmpty()) {
      return ExitCodes.OK;
    }
    storage.out().flush();
    storage.err().println("tidemark: not there: " + Plain.line(String.join(", ", missing)));
    return ExitCodes.FAILED;
  }
}
