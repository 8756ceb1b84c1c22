// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventBusService;
import io.tidemark.api.events.NamespaceStats;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark events namespaces}. */
@Command(
    name = "namespaces",
    description = "Lists the parts of the bus, and what there is in each.",
    footer = {
      "",
      "An event is pending as long as no handler has it, is through with it or gave it",
      "up.",
      "",
      "Examples:",
      "  tidemark events namespaces",
      "  tidemark events namespaces --objects s3://bucket/bus --json"
    })
final class NamespacesCommand implements Callable<Integer> {

  @Mixin private EventBusMixin choice;

  @Override
  public Integer call() {
    return choice.with(this::list);
  }

  private int list(EventBusService events) {
    List<NamespaceStats> found = choice.withWaitMessage("counting events ...", events::namespaces);
    choice.print(found, found.isEmpty() ? "no namespaces" : table(found));
    return ExitCodes.OK;
  }

  private static String table(List<NamespaceStats> namespaces) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAMESPACE", "PENDING", "SESSIONS", "DEAD SESSIONS", "DEAD LETTERS"));
    for (NamespaceStats each : namespaces) {
      rows.add(
          List.of(
              each.namespace(),
              Long.toString(each.pendingEvents()),
              Long.toString(each.activeSessions()),
              Long.toString(each.deadSessions()),
              Long.toString(each.deadLetters())));
    }
    return Table.aligned(rows);
  }
}
