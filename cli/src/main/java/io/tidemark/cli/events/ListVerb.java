// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.view.EventView;
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

/** {@code tidemark events list}. */
@Command(
    name = "list",
    description =
        "Lists the newest events, in order of time, and how far they are: dead_lettered if any"
            + " handler has given the event up, else acked if any is through with it, else claimed"
            + " if any is at work on it, else pending.",
    footer = {
      "",
      "With --status or --type all events are looked at, which takes a while where",
      "there are many.",
      "",
      "Examples:",
      "  tidemark events list",
      "  tidemark events list --status pending --limit 10",
      "  tidemark events list --namespace orders --type order.created,order.paid --json"
    })
final class ListVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamespaceChoice choice;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many, the newest. Default: 100")
  private int limit = 100;

  @Option(
      names = "--status",
      paramLabel = "pending|claimed|acked|dead_lettered",
      description = "Only those that are so far.")
  private @Nullable EventStatus status;

  @Option(
      names = "--type",
      split = ",",
      paramLabel = "TYPE",
      description = "Only of these types, separated by commas.")
  private List<String> types = List.of();

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit takes a number from 1");
    }
    return choice.with(this::list);
  }

  private int list(Namespace namespace) {
    boolean choosy = status != null || !types.isEmpty();
    List<ListedEvent> found =
        choice
            .bus()
            .awaited(
                "reading events ...", () -> namespace.list(choosy ? Integer.MAX_VALUE : limit));
    List<ListedEvent> all = found.stream().filter(this::isMeant).toList();
    List<ListedEvent> meant = all.subList(Math.max(0, all.size() - limit), all.size());
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    meant.forEach(event -> json.add(EventView.json(choice.name(), event)));
    choice.bus().print(json, meant.isEmpty() ? "no events" : table(meant));
    return ExitCodes.OK;
  }

  private boolean isMeant(ListedEvent event) {
    return (status == null || event.status() == status)
        && (types.isEmpty() || event.event().filter(it -> types.contains(it.type())).isPresent());
  }

  private static String table(List<ListedEvent> events) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("EVENT", "CREATED", "TYPE", "PRIORITY", "STATUS", "PAYLOAD"));
    for (ListedEvent listed : events) {
      rows.add(
          List.of(
              listed.id(),
              Shown.time(listed.createdAt()),
              listed.event().map(Event::type).orElse("?"),
              listed.event().map(it -> Integer.toString(it.priority())).orElse("?"),
              listed.status().word(),
              listed.event().map(it -> Shown.brief(it.payload())).orElse("can't be read")));
    }
    return Table.aligned(rows);
  }
}
