// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.events.view.EventView;
import java.util.ArrayList;
import java.util.List;
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
final class SessionsVerb implements Callable<Integer> {

  @Mixin private NamespaceChoice choice;

  @Override
  public Integer call() {
    return choice.with(this::list);
  }

  private int list(Namespace namespace) {
    List<SessionInfo> found =
        choice.bus().awaited("reading sessions ...", () -> namespace.sessions().list());
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    found.forEach(session -> json.add(EventView.json(session)));
    choice.bus().print(json, found.isEmpty() ? "no sessions" : table(found));
    return ExitCodes.OK;
  }

  private static String table(List<SessionInfo> sessions) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SESSION", "STATE", "STARTED", "LAST HEARD OF", "METADATA"));
    for (SessionInfo each : sessions) {
      rows.add(
          List.of(
              each.sessionId(),
              each.dead() ? "dead" : "alive",
              Shown.time(each.startedAt()),
              Shown.time(each.lastHeartbeat()),
              Shown.brief(each.metadata().toString())));
    }
    return Table.aligned(rows);
  }
}
