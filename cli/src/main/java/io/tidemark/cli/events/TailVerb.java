// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.names.TimeLimit;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.events.EventBus;
import io.tidemark.events.model.Event;
import io.tidemark.events.tail.Tail;
import io.tidemark.events.tail.Told;
import io.tidemark.events.view.EventView;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark events tail}. */
@Command(
    name = "tail",
    description =
        "Prints a line for each event as it is published, by this or any other process, until it is"
            + " stopped. It claims nothing: handlers get their events as ever.",
    footer = {
      "",
      "Examples:",
      "  tidemark events tail",
      "  tidemark events tail --type order.created,event.dead_letter",
      "  tidemark events tail --from-start --for 0 --json    What is there, as JSON",
      "  tidemark events tail --count 1                      Waits for the next event"
    })
final class TailVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamespaceChoice choice;

  @Option(names = "--from-start", description = "Begin with the events that are there.")
  private boolean fromStart;

  @Option(
      names = "--type",
      split = ",",
      paramLabel = "TYPE",
      description = "Only of these types, separated by commas.")
  private List<String> types = List.of();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "How often to look at the store. Default: 1")
  private double interval = 1;

  @Option(names = "--count", paramLabel = "N", description = "End after so many lines.")
  private long count = Long.MAX_VALUE;

  @Option(names = "--for", paramLabel = "SECONDS", description = "End after this time.")
  private double seconds = TimeLimit.NONE;

  private long printed;

  @Override
  public Integer call() {
    if (!(interval >= 0.01) || count < 1 || !(seconds >= 0)) {
      throw new ParameterException(
          spec.commandLine(),
          "--interval must be at least 0.01 seconds, --count at least 1, --for not negative");
    }
    return choice.withBus(this::follow);
  }

  private int follow(EventBus bus) {
    TimeLimit limit = new TimeLimit(seconds);
    Duration turn = Duration.ofNanos((long) (Math.min(interval, TimeLimit.NONE) * 1e9));
    Tail tail = fromStart ? Tail.fromStart(bus, choice.name()) : Tail.fromNow(bus, choice.name());
    while (look(tail) && !limit.isOver()) {
      Duration left = limit.left();
      MonotonicTime.system().pause(left.compareTo(turn) < 0 ? left : turn);
    }
    return ExitCodes.OK;
  }

  /** Prints what is new; whether there is to be more. */
  private boolean look(Tail tail) {
    try {
      return tail.poll(this::print) && !choice.bus().out().checkError();
    } catch (TidemarkException e) {
      choice
          .bus()
          .err()
          .println("tidemark: " + Plain.text(String.valueOf(e.getMessage())) + " (still looking)");
      return true;
    }
  }

  private boolean print(Told told) {
    if (!isMeant(told)) {
      return true;
    }
    choice.bus().print(json(told), text(told));
    printed++;
    return printed < count && !choice.bus().out().checkError(); // or who read has seen enough
  }

  private boolean isMeant(Told told) {
    return types.isEmpty()
        || (told instanceof Told.Published published && types.contains(published.event().type()));
  }

  private ObjectNode json(Told told) {
    if (told instanceof Told.Published published) {
      return EventView.json(published.event());
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", told.id())
        .put("namespace", choice.name())
        .put("created_at", Shown.time(told.createdAt()))
        .put("unreadable", problem(told));
  }

  private static String text(Told told) {
    String line = Shown.time(told.createdAt()) + "  " + told.id() + "  ";
    if (told instanceof Told.Published published) {
      Event event = published.event();
      return Plain.line(line + event.type() + "  " + Shown.brief(event.payload()));
    }
    return Plain.line(line + "unreadable: it " + problem(told));
  }

  private static String problem(Told told) {
    return told instanceof Told.Unreadable unreadable ? unreadable.problem() : "";
  }
}
