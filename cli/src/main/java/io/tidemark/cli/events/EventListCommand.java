// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventEntry;
import io.tidemark.api.events.EventListRequest;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventState;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
final class EventListCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamespaceMixin choice;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many, the newest. Default: 100")
  private int limit = 100;

  @Option(
      names = "--status",
      paramLabel = "pending|claimed|acked|dead_lettered",
      description = "Only those that are so far.")
  private @Nullable EventState status;

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

  private int list(EventService events) {
    boolean choosy = status != null || !types.isEmpty();
    EventListRequest request =
        new EventListRequest(
            types,
            Optional.ofNullable(status),
            choosy ? Integer.MAX_VALUE : limit,
            Optional.empty());
    List<EventEntry> all =
        choice
            .bus()
            .withWaitMessage("reading events ...", () -> events.archive().list(request))
            .items();
    List<EventEntry> newest = all.subList(Math.max(0, all.size() - limit), all.size());
    choice.bus().print(newest, newest.isEmpty() ? "no events" : table(newest));
    return ExitCodes.OK;
  }

  private static String table(List<EventEntry> events) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("EVENT", "CREATED", "TYPE", "PRIORITY", "STATUS", "PAYLOAD"));
    for (EventEntry listed : events) {
      rows.add(
          List.of(
              listed.id(),
              EventFormatter.time(listed.createdAt()),
              listed.type().orElse("?"),
              listed.priority().map(it -> Integer.toString(it)).orElse("?"),
              listed.status().word(),
              listed
                  .payload()
                  .map(it -> EventFormatter.brief(it.toString()))
                  .orElse("can't be read")));
    }
    return Table.aligned(rows);
  }
}
