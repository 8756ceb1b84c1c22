// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.cli.terminal.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
final class HistoryCommand implements Callable<Integer> {

  private static final int PAGE = 1_000;

  @Mixin private ReadMixin read;

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
    List<ObjectNode> states = read.ask(this::states);
    if (states.isEmpty()) {
      return new FeatureResultPrinter(new FoundFeatures(List.of(), List.of(id)))
          .print(read.storage());
    }
    ObjectNode json = (ObjectNode) WireJson.tree(new FeaturePage(states, Optional.empty()));
    json.remove("next"); // all of them are here
    read.storage().print(json, diff ? json.toString() : FeatureHistoryFormatter.table(states));
    return ExitCodes.OK;
  }

  private List<ObjectNode> states(FeatureService service) {
    CollectionService features = service.collection(collection);
    boolean patches = diff || !read.storage().json();
    List<ObjectNode> states = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      FeaturePage page =
          patches ? features.activity(id, PAGE, cursor) : features.history(id, PAGE, cursor);
      states.addAll(page.features());
      cursor = page.next();
    } while (cursor.isPresent());
    return states;
  }
}
