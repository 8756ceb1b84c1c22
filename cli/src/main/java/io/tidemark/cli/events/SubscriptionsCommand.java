// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventSubscription;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark events subscriptions}. */
@Command(
    name = "subscriptions",
    description = "Lists the webhooks of a namespace, without their secrets.",
    footer = {
      "",
      "Examples:",
      "  tidemark events subscriptions",
      "  tidemark events subscriptions --namespace orders --json"
    })
final class SubscriptionsCommand implements Callable<Integer> {

  @Mixin private NamespaceMixin choice;

  @Override
  public Integer call() {
    return choice.with(this::list);
  }

  private int list(EventService events) {
    List<EventSubscription> found = events.subscriptions().subscriptions();
    choice.bus().print(found, found.isEmpty() ? "no subscriptions" : table(found));
    return ExitCodes.OK;
  }

  private static String table(List<EventSubscription> found) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("HANDLER", "TYPES", "TARGET", "CREATED"));
    for (EventSubscription each : found) {
      rows.add(
          List.of(
              each.handler(),
              each.types().isEmpty() ? "all" : String.join(",", each.types()),
              each.target(),
              EventFormatter.time(each.createdAt())));
    }
    return Table.aligned(rows);
  }
}
