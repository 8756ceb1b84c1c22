// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;

/** Features that were asked for by name, to be printed. */
record Found(FoundFeatures found) {

  /** Prints the features and the names of those that are missing; returns the exit code. */
  int print(StorageChoice storage) {
    storage.print(
        WireJson.tree(found),
        found.features().isEmpty() ? "no features" : ShownFeatures.table(found.features()));
    if (found.missing().isEmpty()) {
      return ExitCodes.OK;
    }
    storage.out().flush();
    String names = String.join(", ", found.missing());
    storage.err().println("tidemark: not there: " + Plain.line(names));
    return ExitCodes.FAILED;
  }
}
