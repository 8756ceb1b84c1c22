// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.Tidemark;
import io.tidemark.api.events.EventSchedule;
import io.tidemark.api.events.EventSubscription;
import io.tidemark.api.events.NamespaceStats;
import io.tidemark.cli.features.FeatureStorageMixin;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.server.admin.EventBusStatus;
import io.tidemark.server.admin.EventBusStatus.Automation;
import io.tidemark.server.admin.FeatureStatus;
import io.tidemark.server.admin.StoreStatus;
import io.tidemark.server.admin.StoreStatus.NameStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark status}. */
@Command(
    description =
        "Shows on one screen what there is: ledgers and graph sources with their heads, how far"
            + " indices lag behind, who holds a lock, how many events wait, and whether"
            + " transactions of features get their numbers.",
    footer = {
      "",
      "Examples:",
      "  tidemark status",
      "  tidemark status --data s3://bucket/prefix --limit 500 --json",
      "  tidemark status --server http://host:7700"
    })
public final class StatusCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private FeatureStorageMixin storage;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many names. Default: 40")
  private int limit = 40;

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit takes a number from 1");
    }
    try (Tidemark tidemark = Tidemark.open(storage.names().location())) {
      return show(tidemark);
    } finally {
      storage.names().out().flush();
    }
  }

  private int show(Tidemark tidemark) {
    EventBusStatus events =
        tidemark.objects().isPresent() ? EventBusStatus.of(tidemark.events()) : EventBusStatus.NONE;
    StoreStatus status = StoreStatus.of(tidemark.names(), limit, events);
    Optional<FeatureStatus> features = FeatureStatusFormatter.ask(storage);
    String line = System.lineSeparator();
    storage.print(
        status.json(features),
        text(status)
            + features.map(told -> line + line + FeatureStatusFormatter.text(told)).orElse(""));
    return ExitCodes.OK;
  }

  private static String text(StoreStatus status) {
    String line = System.lineSeparator();
    StringBuilder text = new StringBuilder(status.location()).append(line).append(line);
    if (status.names().isEmpty()) {
      text.append("no names; make one with 'tidemark ledger init NAME'");
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("NAME", "KIND", "STATE", "HEAD", "LAG", "LOCKS"));
      for (NameStatus each : status.names()) {
        rows.add(
            List.of(
                each.record().address().toString(),
                each.record().meta().kind().text(),
                each.state(),
                each.record().commit().id().isPresent()
                    ? Long.toString(each.record().commit().t())
                    : "-",
                shown(each.record().indexLag()),
                shown(each.locks())));
      }
      text.append(Table.aligned(rows));
      text.append(status.more() ? line + "and more; --limit shows them" : "");
    }
    if (!status.events().queues().isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("EVENTS", "PENDING", "SESSIONS", "DEAD LETTERS"));
      for (NamespaceStats queue : status.events().queues()) {
        rows.add(
            List.of(
                queue.namespace(),
                Long.toString(queue.pendingEvents()),
                Long.toString(queue.activeSessions()),
                Long.toString(queue.deadLetters())));
      }
      text.append(line).append(line).append(Table.aligned(rows));
    }
    if (!status.events().automation().isEmpty()) {
      text.append(line).append(line).append(Table.aligned(automation(status.events())));
    }
    return text.toString();
  }

  private static List<List<String>> automation(EventBusStatus events) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("WEBHOOK OR SCHEDULE", "EVENTS", "TYPES", "WHERE OR WHEN"));
    for (Automation each : events.automation()) {
      for (EventSubscription webhook : each.subscriptions()) {
        String types = webhook.types().isEmpty() ? "all" : String.join(",", webhook.types());
        rows.add(List.of(webhook.handler(), each.namespace(), types, webhook.target()));
      }
      for (EventSchedule schedule : each.schedules()) {
        rows.add(List.of(schedule.name(), each.namespace(), schedule.type(), schedule.cron()));
      }
    }
    return rows;
  }

  private static String shown(OptionalLong lag) {
    return lag.isPresent() ? Long.toString(lag.getAsLong()) : "-";
  }

  private static String shown(Map<Purpose, Lock> locks) {
    return locks.isEmpty()
        ? "-"
        : locks.entrySet().stream()
            .map(each -> shown(each.getKey(), each.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static String shown(Purpose purpose, Lock lock) {
    String progress =
        lock.progress().isPresent()
            ? String.format(Locale.ROOT, ", %.0f %%", lock.progress().getAsDouble() * 100)
            : "";
    return "%s by %s until %s%s"
        .formatted(
            purpose.text(), lock.holder(), Instant.ofEpochSecond(lock.expiresAt()), progress);
  }
}
