// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureMaintenance;
import io.tidemark.api.features.FeatureMaintenance.Statistics;
import io.tidemark.api.features.FeatureMaintenance.Step;
import io.tidemark.api.features.FeatureMaintenance.Upkeep;
import io.tidemark.api.features.FeatureMaintenanceRequest;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.ProgressTicker;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
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
final class MaintainCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private FeatureStorageMixin storage;

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
    FeatureMaintenanceRequest request =
        new FeatureMaintenanceRequest(
            mergeMonths, logDays == null ? OptionalLong.empty() : OptionalLong.of(logDays));
    FeatureMaintenance result;
    try (ProgressTicker progressTicker = ProgressTicker.on(storage.progress(), "maintaining ...")) {
      result =
          storage.ask(
              service ->
                  service.maintain(
                      request,
                      turn -> progressTicker.show("maintaining " + turn.subject() + " ...")));
    }
    if (!(result instanceof FeatureMaintenance.Done done)) {
      storage.print(WireJson.tree(result), "another maintainer is at it; nothing was done");
      return ExitCodes.CONFLICT;
    }
    storage.print(WireJson.tree(result), text(done.upkeep()));
    boolean failed = done.upkeep().stream().anyMatch(each -> each.failure().isPresent());
    return failed ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private static String text(List<Upkeep> upkeep) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("WHAT", "DONE", "TABLE", "DETAIL"));
    for (Upkeep each : upkeep) {
      String name = each.name();
      for (Step step : each.steps()) {
        lines.add(List.of(name, step.kind(), step.table(), step.detail()));
      }
      each.statistics()
          .ifPresent(found -> lines.add(List.of(name, "measured", name, measured(found))));
      each.failure().ifPresent(reason -> lines.add(List.of(name, "failed", "-", reason)));
    }
    return lines.size() == 1 ? "nothing was due" : Table.aligned(lines);
  }

  private static String measured(Statistics statistics) {
    String text =
        "features: %d, of up to %d bytes as text and %d as stored"
            .formatted(statistics.features(), statistics.byteSize(), statistics.compressedSize());
    return statistics.byQrid().isEmpty()
        ? text
        : text + "; parts by place: " + statistics.byQrid().size();
  }
}
