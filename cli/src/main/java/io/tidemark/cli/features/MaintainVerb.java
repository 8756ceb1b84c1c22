// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.terminal.Ticking;
import io.tidemark.features.Features;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.Maintenance;
import io.tidemark.features.maintain.Statistics;
import io.tidemark.features.maintain.Step;
import io.tidemark.features.maintain.Upkeep;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark features maintain}. */
@Command(
    name = "maintain",
    description =
        "Does what is due: makes the partitions of the next days, drops history that is older than"
            + " a collection's --max-age, and measures collections. To be run at least every 12"
            + " hours; it may be run at any time.",
    footer = {
      "",
      "Exit code 1: not all could be done for a collection; the others are done.",
      "6: another maintainer is at it.",
      "",
      "Examples:",
      "  tidemark features maintain",
      "  tidemark features maintain --merge-months --keep-log 365 --json"
    })
final class MaintainVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private StorageChoice storage;

  @Option(
      names = "--merge-months",
      description = "Put days of the history older than 31 into months.")
  private boolean mergeMonths;

  @Option(
      names = "--keep-log",
      paramLabel = "DAYS",
      description = "Drop days of the log that are older. Default: none")
  private @Nullable Long logDays;

  @Override
  public Integer call() {
    if (logDays != null && logDays < 0) {
      throw new ParameterException(spec.commandLine(), "--keep-log can't be negative");
    }
    MaintainOptions options = MaintainOptions.defaults();
    options = mergeMonths ? options.mergingMonths() : options;
    MaintainOptions wanted = logDays == null ? options : options.keepingLogFor(logDays);
    return storage.with(features -> maintain(features, wanted));
  }

  private int maintain(Features features, MaintainOptions options) {
    Maintenance ended;
    try (Ticking ticking = Ticking.on(storage.progress(), "maintaining ...")) {
      ended = features.maintain(options, name -> ticking.now("maintaining " + name + " ..."));
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (ended instanceof Maintenance.Done done) {
      json.put("result", "done").set("upkeep", json(done.upkeep()));
      storage.print(json, text(done));
      return done.failed().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
    storage.print(json.put("result", "busy"), "another maintainer is at it; nothing was done");
    return ExitCodes.CONFLICT;
  }

  private static ArrayNode json(List<Upkeep> upkeep) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Upkeep each : upkeep) {
      ObjectNode one = list.addObject().put("name", each.name());
      ArrayNode steps = one.putArray("steps");
      for (Step step : each.steps()) {
        steps
            .addObject()
            .put("kind", step.kind().name().toLowerCase(Locale.ROOT))
            .put("table", step.table())
            .put("detail", step.detail());
      }
      if (each.statistics() != null) {
        one.set("statistics", json(each.statistics()));
      }
      one.put("failure", each.failure());
    }
    return list;
  }

  private static ObjectNode json(Statistics measured) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("features", measured.features())
            .put("byteSize", measured.byteSize())
            .put("compressedSize", measured.compressedSize());
    ObjectNode parts = json.putObject("by_qrid");
    measured.byQrid().forEach(parts::put);
    return json;
  }

  private static String text(Maintenance.Done done) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("WHAT", "DONE", "TABLE", "DETAIL"));
    for (Upkeep each : done.upkeep()) {
      for (Step step : each.steps()) {
        lines.add(
            List.of(
                each.name(),
                step.kind().name().toLowerCase(Locale.ROOT),
                step.table(),
                step.detail()));
      }
      if (each.statistics() != null) {
        lines.add(List.of(each.name(), "measured", each.name(), text(each.statistics())));
      }
      if (each.failure() != null) {
        lines.add(List.of(each.name(), "failed", "-", each.failure()));
      }
    }
    return lines.size() == 1 ? "nothing was due" : Table.aligned(lines);
  }

  private static String text(Statistics measured) {
    String text =
        "features: %d, of up to %d bytes as text and %d as stored"
            .formatted(measured.features(), measured.byteSize(), measured.compressedSize());
    return measured.byQrid().isEmpty()
        ? text
        : text + "; parts by place: " + measured.byQrid().size();
  }
}
