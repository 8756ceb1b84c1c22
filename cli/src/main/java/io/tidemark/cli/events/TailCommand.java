// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventTail;
import io.tidemark.api.events.FollowRequest;
import io.tidemark.api.events.TailedEvent;
import io.tidemark.cli.names.TimeLimit;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
final class TailCommand implements Callable<Integer> {

  /** Maximum time between two checks whether the output is still read. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;
  @Mixin private NamespaceMixin choice;

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
    return choice.with(this::follow);
  }

  private int follow(EventService events) {
    TimeLimit limit = new TimeLimit(seconds);
    Duration turn = Duration.ofNanos((long) (Math.min(interval, TimeLimit.NONE) * 1e9));
    FollowRequest request =
        (fromStart ? FollowRequest.fromStart() : FollowRequest.fromNow())
            .withTypes(types)
            .withInterval(turn);
    try (EventTail tail = events.follow(request)) {
      while (follow(tail, limit) && !limit.isOver()) {
        Duration left = limit.left();
        MonotonicTime.system().pause(left.compareTo(turn) < 0 ? left : turn);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCodes.OK;
  }

  /** Prints events until the time limit or an error of the store; returns whether to go on then. */
  private boolean follow(EventTail tail, TimeLimit limit) throws InterruptedException {
    try {
      while (true) {
        Duration left = limit.left();
        Optional<TailedEvent> event = tail.next(left.compareTo(PATIENCE) < 0 ? left : PATIENCE);
        if (event.isPresent() ? !print(event.get()) : choice.bus().out().checkError()) {
          return false;
        }
        if (event.isEmpty() && limit.isOver()) {
          return true;
        }
      }
    } catch (TidemarkException e) {
      choice
          .bus()
          .err()
          .println(
              "tidemark: "
                  + TerminalEscaping.escape(String.valueOf(e.getMessage()))
                  + " (still looking)");
      return true;
    }
  }

  private boolean print(TailedEvent event) {
    choice.bus().print(event, text(event));
    printed++;
    return printed < count && !choice.bus().out().checkError(); // or the reader is gone
  }

  private static String text(TailedEvent event) {
    String line = EventFormatter.time(event.createdAt()) + "  " + event.id() + "  ";
    return TerminalEscaping.escapeLine(
        event
            .unreadable()
            .map(problem -> line + "unreadable: it " + problem)
            .orElseGet(
                () ->
                    line
                        + event.type().orElse("?")
                        + "  "
                        + EventFormatter.brief(event.payload().map(Object::toString).orElse(""))));
  }
}
