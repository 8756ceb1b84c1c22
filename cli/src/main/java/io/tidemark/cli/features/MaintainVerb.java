// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.terminal.Ticking;
import io.tidemark.features.view.MaintenanceJson;
import java.util.ArrayList;
import java.util.List;
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
    ObjectNode wanted = JsonNodeFactory.instance.objectNode();
    wanted.put("mergeMonths", mergeMonths).put("keepLog", logDays);
    JsonNode ended;
    try (Ticking ticking = Ticking.on(storage.progress(), "maintaining ...")) {
      ended =
          storage.answer(
              features ->
                  MaintenanceJson.of(
                      features.maintain(
                          MaintenanceJson.options(wanted),
                          name -> ticking.now("maintaining " + name + " ..."))),
              server -> server.maintain(wanted));
    }
    if (ended.path("result").asText().equals("busy")) {
      storage.print(ended, "another maintainer is at it; nothing was done");
      return ExitCodes.CONFLICT;
    }
    storage.print(ended, text(ended.path("upkeep")));
    boolean failed = ended.path("upkeep").findValues("failure").stream().anyMatch(f -> !f.isNull());
    return failed ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private static String text(JsonNode upkeep) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("WHAT", "DONE", "TABLE", "DETAIL"));
    for (JsonNode each : upkeep) {
      String name = each.path("name").asText();
      for (JsonNode step : each.path("steps")) {
        lines.add(
            List.of(
                name,
                step.path("kind").asText(),
                step.path("table").asText(),
                step.path("detail").asText()));
      }
      if (each.hasNonNull("statistics")) {
        lines.add(List.of(name, "measured", name, measured(each.path("statistics"))));
      }
      if (each.hasNonNull("failure")) {
        lines.add(List.of(name, "failed", "-", each.path("failure").asText()));
      }
    }
    return lines.size() == 1 ? "nothing was due" : Table.aligned(lines);
  }

  private static String measured(JsonNode statistics) {
    String text =
        "features: %d, of up to %d bytes as text and %d as stored"
            .formatted(
                statistics.path("features").asLong(),
                statistics.path("byteSize").asLong(),
                statistics.path("compressedSize").asLong());
    return statistics.path("by_qrid").isEmpty()
        ? text
        : text + "; parts by place: " + statistics.path("by_qrid").size();
  }
}
