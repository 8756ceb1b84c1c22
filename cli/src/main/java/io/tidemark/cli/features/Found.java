// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.features.Feature;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints what was asked for by name, and says what of it isn't there.
 *
 * @param storage where to print
 */
record Found(StorageChoice storage) {

  /** Those of the ids that were found. */
  int ofIds(List<String> ids, List<Feature> found) {
    List<String> missing = new ArrayList<>(ids);
    found.forEach(feature -> missing.removeIf(feature.id().orElse("")::equals));
    return show(found, missing);
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
