// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.features.FeatureWrite;
import io.tidemark.features.model.XyzNamespace;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark features put COLLECTION FILE}. */
@Command(
    name = "put",
    description =
        "Writes features in one transaction: all of them, or nothing when one can't be written."
            + " Those that are there get a new state, the others are created.",
    footer = {
      "",
      "The file is a FeatureCollection, a Feature, or Features one after the other.",
      "",
      "What others have changed since you read a feature is replaced without a word,",
      "whatever uuid you send. Get, edit and put it with --if-unchanged to be safe.",
      "",
      "Exit code 4: a feature is invalid. 6: one isn't in the state that was",
      "expected, or is there already. 1: one isn't there, or the collection.",
      "",
      "Examples:",
      "  tidemark features put roads roads.geojson",
      "  tidemark features put roads - --only create --author ann < new.geojson",
      "  tidemark features get roads r1 --json > r1.geojson    To be edited, and then:",
      "  tidemark features put roads r1.geojson --if-unchanged",
      "  tidemark features put roads r1.geojson --expect store:roads:2026:11:16:7",
      "  tidemark features put roads r1.geojson -m ticket=42"
    })
final class PutCommand implements Callable<Integer> {

  /** Restriction of the allowed writes. */
  enum Only {
    CREATE,
    UPDATE
  }

  @Spec private CommandSpec spec;
  @Mixin private WriteMixin target;

  @Parameters(index = "1", paramLabel = "FILE", description = "GeoJSON; - for standard input.")
  private String file;

  @Option(
      names = "--only",
      paramLabel = "create|update",
      description = "Features that are there, or aren't, are refused.")
  private @Nullable Only only;

  @Option(
      names = "--if-unchanged",
      description = {
        "Each must still be in the state it was made from,",
        "as the uuid in it says. Those without one are",
        "written in any case."
      })
  private boolean unchanged;

  @Option(
      names = "--expect",
      paramLabel = "GUID",
      description = "The one feature must be in this state.")
  private @Nullable String expect;

  @Option(
      names = "--max-batch",
      paramLabel = "N",
      description = "How many features it takes. Default: 10000")
  private int maxBatch = 10_000;

  @Override
  public Integer call() {
    if (maxBatch < 1) {
      throw misuse("--max-batch takes a number from 1");
    }
    if (only == Only.CREATE && (unchanged || expect != null)) {
      throw misuse("what is to be created has no state that could be expected");
    }
    if (unchanged && expect != null) {
      throw misuse("--if-unchanged and --expect exclude one another; say one");
    }
    List<ObjectNode> features = GeoJsonInput.read(file, maxBatch);
    if (expect != null && features.size() != 1) {
      throw misuse("--expect goes with one feature; there are " + features.size());
    }
    return target.write(features.stream().map(this::write).toList());
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  private FeatureWrite write(ObjectNode feature) {
    if (only == Only.CREATE) {
      return FeatureWrite.create(feature);
    }
    FeatureWrite write =
        only == Only.UPDATE ? FeatureWrite.update(feature) : FeatureWrite.upsert(feature);
    Optional<String> expected =
        unchanged
            ? FeatureFormatter.xyz(feature).flatMap(XyzNamespace::uuid)
            : Optional.ofNullable(expect);
    return expected.map(write::expecting).orElse(write);
  }
}
