// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.api.events.PublishedEvent;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.ProgressLine;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark events publish TYPE [PAYLOAD]}. */
@Command(
    name = "publish",
    description =
        "Publishes an event, or one for each line of a file. What is published twice under one id"
            + " is one event to handlers, so with ids it can be done again without harm.",
    footer = {
      "",
      "A line is a JSON object with a type, and perhaps a payload, a priority, an id:",
      "  {\"type\":\"order.created\",\"payload\":{\"order\":17},\"priority\":900,\"id\":\"o17\"}",
      "What 'tail --json' prints is such lines.",
      "",
      "Examples:",
      "  tidemark events publish order.created '{\"order\":17}' --id order-17",
      "  tidemark events publish order.created @order.json --priority 900",
      "  curl -s https://example.org/order/17 | tidemark events publish order.created -",
      "  tidemark events publish --lines orders.jsonl --namespace orders"
    })
final class PublishCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamespaceMixin choice;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TYPE",
      description = "What happened, such as order.created.")
  private @Nullable String type;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PAYLOAD",
      description = "A JSON object, @FILE, or - for standard input. Default: {}")
  private @Nullable String payload;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "The higher the sooner. Default: 100")
  private @Nullable Integer priority;

  @Option(names = "--id", paramLabel = "ID", description = "Its id. Default: a new one")
  private @Nullable String id;

  @Option(
      names = "--lines",
      paramLabel = "FILE",
      description = "An event for each line of a file; - for standard input.")
  private @Nullable String lines;

  @Override
  public Integer call() {
    if (lines != null) {
      if (type != null || id != null) {
        throw new ParameterException(
            spec.commandLine(), "with --lines, each line says its own type and id; leave them out");
      }
      String file = lines;
      return choice.with(events -> publishAll(events, file));
    }
    if (type == null) {
      throw new ParameterException(
          spec.commandLine(), "say the TYPE of the event, or --lines for many");
    }
    PublishRequest event =
        PublishRequest.of(type, EventLinePublisher.payload(payload == null ? "{}" : payload))
            .withPriority(Optional.ofNullable(priority))
            .withId(Optional.ofNullable(id));
    return choice.with(events -> publish(events, event));
  }

  private int publish(EventService events, PublishRequest event) {
    PublishedEvent done = events.publish(event);
    String text = done.published() ? "published " : "it was there already: ";
    choice.bus().print(done, text + done.event().id());
    return ExitCodes.OK;
  }

  private int publishAll(EventService service, String file) {
    ProgressLine progressLine = choice.bus().progress();
    EventLinePublisher events = new EventLinePublisher(Optional.ofNullable(priority));
    try {
      TextArgument.eachLine(
          file,
          line -> {
            PublishedEvent published = events.publish(line, service);
            if (choice.bus().json()) {
              choice.bus().out().println(WireJson.tree(published));
            }
            progressLine.show("published " + Plural.of(events.published(), "event"));
          });
    } finally {
      progressLine.clear();
    }
    if (!choice.bus().json()) {
      choice.bus().out().println("published " + Plural.of(events.published(), "event"));
    }
    return ExitCodes.OK;
  }
}
