// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventService;
import io.tidemark.api.events.SessionEntry;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark events sessions}. */
@Command(
    name = "sessions",
    description =
        "Lists the processes that work on the events of a namespace, or did. One that hasn't been"
            + " heard of for 60 seconds counts as dead.",
    footer = {
      "",
      "What a dead session had claimed is handed out again when its leases run out.",
      "",
      "Examples:",
      "  tidemark events sessions",
      "  tidemark events sessions --namespace orders --json"
    })
final class SessionsCommand implements Callable<Integer> {

  @Mixin private NamespaceMixin choice;

  @Override
  public Integer call() {
    return choice.with(this::list);
  }

  private int list(EventService events) {
    List<SessionEntry> found =
        choice
            .bus()
            .withWaitMessage(
                "reading sessions ...",
                () -> events.archive().sessions(Integer.MAX_VALUE, Optional.empty()))
            .items();
    choice.bus().print(found, found.isEmpty() ? "no sessions" : table(found));
    return ExitCodes.OK;
  }

  private static String table(List<SessionEntry> sessions) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SESSION", "STATE", "STARTED", "LAST HEARD OF", "METADATA"));
    for (SessionEntry each : sessions) {
      rows.add(
          List.of(
              each.sessionId(),
              each.isDead() ? "dead" : "alive",
              EventFormatter.time(each.startedAt()),
              EventFormatter.time(each.lastHeartbeat()),
              EventFormatter.brief(each.metadata().toString())));
    }
    return Table.aligned(rows);
  }
}
