// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureService;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.api.features.LookupRequest;
import java.util.List;
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
final class GetCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ReadMixin read;

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
    return new FeatureResultPrinter(read.ask(this::found)).print(read.storage());
  }

  private FoundFeatures found(FeatureService service) {
    return collection == null
        ? service.queries().states(guids)
        : service.collection(collection).lookup(LookupRequest.of(ids).withDeleted(deleted));
  }
}
