// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.read.Reading;
import io.tidemark.features.view.FeatureJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark features get COLLECTION ID...}. */
@Command(
    name = "get",
    description =
        "Shows features as they are, in the order in which they are asked for; states by their"
            + " GUIDs wherever they are kept. With --json, a GeoJSON FeatureCollection.",
    footer = {
      "",
      "Exit code 1: one isn't there; the others are shown.",
      "",
      "Examples:",
      "  tidemark features get roads r1 r2",
      "  tidemark features get roads r1 --deleted --json",
      "  tidemark features get --guid store:roads:2026:11:16:7"
    })
final class GetVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ReadChoice read;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "COLLECTION",
      description = "The id of the collection.")
  private @Nullable String collection;

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "ID", description = "Which features.")
  private List<String> ids = List.of();

  @Option(
      names = "--guid",
      paramLabel = "GUID",
      description = "A state, of whatever collection; can be repeated.")
  private List<String> guids = List.of();

  @Option(names = "--deleted", description = "The last states of features that are deleted.")
  private boolean deleted;

  @Override
  public Integer call() {
    boolean byId = collection != null && !ids.isEmpty();
    if (byId == !guids.isEmpty() || (collection != null && !byId)) {
      throw new ParameterException(
          spec.commandLine(), "give a collection and ids of features, or --guid");
    }
    List<Guid> wanted = guids.stream().map(Guid::parse).toList();
    return new Found(byId ? byId(Objects.requireNonNull(collection)) : byGuid(wanted))
        .print(read.storage());
  }

  private JsonNode byId(String where) {
    return read.answer(
        reading -> found(reading, where),
        server -> deleted ? server.deletedFeatures(where, ids) : server.features(where, ids));
  }

  private ObjectNode found(Reading reading, String where) {
    List<Feature> found = deleted ? reading.deleted(where, ids) : reading.byIds(where, ids);
    return FeatureJson.found(found, ids, reading.collection(where));
  }

  private JsonNode byGuid(List<Guid> wanted) {
    return read.answer(
        reading -> states(reading, wanted),
        server -> server.states(wanted.stream().map(Guid::toString).toList()));
  }

  private static ObjectNode states(Reading reading, List<Guid> wanted) {
    List<Feature> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (Guid guid : wanted) {
      reading.byGuid(guid).ifPresentOrElse(found::add, () -> missing.add(guid.toString()));
    }
    return FeatureJson.found(found, missing);
  }
}
