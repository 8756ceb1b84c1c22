// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.TerminalEscaping;

/** Printer of features that were requested by id. */
record FeatureResultPrinter(FoundFeatures found) {

  /** Prints the features and the names of those that are missing; returns the exit code. */
  int print(FeatureStorageMixin storage) {
    storage.print(
        WireJson.tree(found),
        found.features().isEmpty() ? "no features" : FeatureFormatter.table(found.features()));
    if (found.missing().isEmpty()) {
      return ExitCodes.OK;
    }
    storage.out().flush();
    String names = String.join(", ", found.missing());
    storage.err().println("tidemark: not there: " + TerminalEscaping.escapeLine(names));
    return ExitCodes.FAILED;
  }
}
