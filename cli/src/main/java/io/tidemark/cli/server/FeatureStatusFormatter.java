// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.features.FeatureStorageMixin;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.Table;
import io.tidemark.server.admin.FeatureStatus;
import java.util.List;
import java.util.Optional;

/** Text format of the status of features. */
final class FeatureStatusFormatter {

  private FeatureStatusFormatter() {}

  /** Reads the status; empty where there are no features. */
  static Optional<FeatureStatus> ask(FeatureStorageMixin storage) {
    return storage.server().isEmpty() && !storage.isKnown()
        ? Optional.empty()
        : FeatureStatus.tryRead(() -> storage.ask(service -> FeatureStatus.of(service)));
  }

  static String text(FeatureStatus status) {
    ObjectNode json = status.json();
    if (json.has("problem")) {
      return "features can't be asked: " + json.path("problem").asText();
    }
    int waiting = json.path("waiting").asInt();
    return Table.aligned(
        List.of(
            List.of("FEATURES", "NUMBERED UP TO", "WAITING FOR A NUMBER"),
            List.of(
                Plural.of(json.path("collections").asInt(), "collection"),
                json.path("numbered_up_to").asText(),
                waiting == 0
                    ? "none"
                    : "%d%s since %s"
                        .formatted(
                            waiting,
                            waiting == FeatureStatus.LOOKED_AT ? " or more" : "",
                            json.path("waiting_since").asText()))));
  }
}
