// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.Claim;
import io.tidemark.events.view.Ended;
import io.tidemark.events.view.Ended.Held;
import io.tidemark.events.view.Ended.Way;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Events that were claimed and are to be settled: what {@code ack} and {@code release} share. */
final class HeldChoice {

  @Mixin private NamespaceChoice choice;

  @Parameters(arity = "1..*", paramLabel = "EVENT", description = "The ids of the events.")
  private List<String> events = new ArrayList<>();

  @Option(
      names = "--handler",
      required = true,
      paramLabel = "HANDLER",
      description = "For whom they were claimed.")
  private String handler;

  @Option(
      names = "--session",
      required = true,
      paramLabel = "NAME",
      description = "Who claimed them, as 'claim' says.")
  private String session;

  /** Settles each, and prints how that ended; a conflict if one isn't held any more. */
  int settle(Way way, String error) {
    return choice.withBus(
        bus -> {
          Namespace namespace = bus.namespace(choice.name());
          List<Ended> all =
              events.stream()
                  .map(id -> new Held(id, handler, session))
                  .map(held -> Ended.settle(namespace, held, way, error))
                  .toList();
          ArrayNode json = JsonNodeFactory.instance.arrayNode();
          all.forEach(each -> json.add(each.json()));
          String text =
              String.join(
                  System.lineSeparator(), all.stream().map(each -> text(each, bus)).toList());
          choice.bus().print(json, text);
          return all.stream().allMatch(Ended::isDone) ? ExitCodes.OK : ExitCodes.CONFLICT;
        });
  }

  private String text(Ended ended, EventBus bus) {
    String id = ended.held().eventId();
    if (!ended.isDone()) {
      return "no effect on " + id + ": " + why(ended, bus);
    }
    Claim claim = ended.claim().orElseThrow();
    if (claim.ackAt().isPresent()) {
      return "acknowledged " + id;
    }
    String failures = Plural.of(claim.failures(), "failure");
    if (claim.deadLetteredAt().isPresent()) {
      return "gave " + id + " up after " + failures;
    }
    String when = ", to be tried at " + Shown.time(claim.availableAt());
    return "released " + id + ": " + failures + " of " + most(bus) + when;
  }

  private static int most(EventBus bus) {
    return bus.options().retries().maxAttempts();
  }

  private String why(Ended ended, EventBus bus) {
    if (!ended.known()) {
      return "there is no such event";
    }
    Instant now = bus.store().clock().instant();
    return ended
        .claim()
        .map(it -> "for " + handler + " it is " + state(it, now))
        .orElse(handler + " hasn't claimed it");
  }

  private String state(Claim claim, Instant now) {
    String by = claim.sessionId().equals(session) ? "this session" : claim.sessionId();
    return Shown.state(claim, now) + ", last claimed by " + by;
  }
}
