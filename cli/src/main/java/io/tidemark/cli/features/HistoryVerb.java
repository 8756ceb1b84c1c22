// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.features.view.FeatureJson;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark features history COLLECTION ID}. */
@Command(
    name = "history",
    description =
        "Shows all states of a feature that are kept, the first first, and what each changed."
            + " With --json, a GeoJSON FeatureCollection of the states.",
    footer = {
      "",
      "Exit code 1: there is no such feature, and there was none.",
      "",
      "Examples:",
      "  tidemark features history roads r1",
      "  tidemark features history roads r1 --diff   With patches to the states before"
    })
final class HistoryVerb implements Callable<Integer> {

  @Mixin private ReadChoice read;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Parameters(index = "1", paramLabel = "ID", description = "Which feature.")
  private String id;

  @Option(
      names = "--diff",
      description = {
        "As JSON, the newest first, each with a JSON patch",
        "that leads back to the state before."
      })
  private boolean diff;

  @Override
  public Integer call() {
    JsonNode states = diff || !read.storage().json() ? activities() : states();
    if (states.path("features").isEmpty()) {
      return new Found(FeatureJson.found(List.of(), List.of(id))).print(read.storage());
    }
    read.storage().print(states, diff ? states.toString() : ShownHistory.table(states));
    return ExitCodes.OK;
  }

  private JsonNode states() {
    return read.answer(
        reading -> FeatureJson.of(reading.versions(collection, id)),
        server -> server.history(collection, id));
  }

  private JsonNode activities() {
    return read.answer(
        reading -> FeatureJson.activities(reading.activity(collection, id)),
        server -> server.activity(collection, id));
  }
}
