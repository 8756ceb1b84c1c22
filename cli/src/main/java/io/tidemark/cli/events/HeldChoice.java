// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.events.Claim;
import io.tidemark.events.Delivery;
import io.tidemark.events.EventBus;
import io.tidemark.events.Inspection;
import io.tidemark.events.Namespace;
import io.tidemark.events.Settlement;
import io.tidemark.events.Settlement.Settled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
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

  /**
   * How one of them ended.
   *
   * @param result a word for programs
   * @param text a line for people
   * @param claim as it is now; empty when there is none
   */
  record Ended(String eventId, String result, String text, Optional<Claim> claim) {}

  private static final String SUPERSEDED = "superseded";

  /**
   * Settles each, and prints how that ended; a conflict if one isn't held any more.
   *
   * @param wasDone whether a claim of this session says that the same was done before
   */
  int settle(Function<Delivery, Settlement> how, Predicate<Claim> wasDone) {
    return choice.withBus(
        bus -> {
          List<Ended> all = events.stream().map(id -> settle(bus, id, how, wasDone)).toList();
          ArrayNode json = JsonNodeFactory.instance.arrayNode();
          all.forEach(each -> json.add(json(each)));
          String text = String.join(System.lineSeparator(), all.stream().map(Ended::text).toList());
          choice.bus().print(json, text);
          boolean done = all.stream().noneMatch(each -> each.result().equals(SUPERSEDED));
          return done ? ExitCodes.OK : ExitCodes.CONFLICT;
        });
  }

  private Ended settle(
      EventBus bus, String id, Function<Delivery, Settlement> how, Predicate<Claim> wasDone) {
    Namespace namespace = bus.namespace(choice.name());
    Optional<Settled> settled =
        namespace
            .held(id, handler, session)
            .map(how)
            .flatMap(end -> end instanceof Settled done ? Optional.of(done) : Optional.empty());
    return settled
        .map(done -> settled(id, done.claim(), bus))
        .orElseGet(() -> superseded(bus, id, wasDone));
  }

  private static Ended settled(String id, Claim claim, EventBus bus) {
    if (claim.ackAt().isPresent()) {
      return new Ended(id, "acked", "acknowledged " + id, Optional.of(claim));
    }
    String failures = Shown.count(claim.failures(), "failure");
    if (claim.deadLetteredAt().isPresent()) {
      String text = "gave " + id + " up after " + failures;
      return new Ended(id, "dead_lettered", text, Optional.of(claim));
    }
    String when = ", to be tried at " + Shown.time(claim.availableAt());
    String most = " of " + bus.options().retries().maxAttempts();
    return new Ended(
        id, "released", "released " + id + ": " + failures + most + when, Optional.of(claim));
  }

  /** It had no effect; says what is the case instead. */
  private Ended superseded(EventBus bus, String id, Predicate<Claim> wasDone) {
    Optional<Inspection> found = bus.namespace(choice.name()).inspect(id);
    if (found.isEmpty()) {
      return new Ended(
          id, SUPERSEDED, "no effect on " + id + ": there is no such event", Optional.empty());
    }
    Optional<Claim> claim =
        found.get().claims().stream().filter(it -> it.handlerId().equals(handler)).findFirst();
    Optional<Claim> own = claim.filter(it -> it.sessionId().equals(session)).filter(wasDone);
    if (own.isPresent()) {
      return settled(id, own.get(), bus);
    }
    Instant now = bus.store().clock().instant();
    String why =
        claim
            .map(it -> "for " + handler + " it is " + state(it, now))
            .orElse(handler + " hasn't claimed it");
    return new Ended(id, SUPERSEDED, "no effect on " + id + ": " + why, claim);
  }

  private String state(Claim claim, Instant now) {
    String by = claim.sessionId().equals(session) ? "this session" : claim.sessionId();
    return Shown.state(claim, now) + ", last claimed by " + by;
  }

  private ObjectNode json(Ended ended) {
    ObjectNode json =
        Shown.object()
            .put("event_id", ended.eventId())
            .put("handler_id", handler)
            .put("session_id", session)
            .put("result", ended.result());
    if (ended.claim().isPresent()) {
      json.set("claim", Shown.json(ended.claim().get()));
      return json;
    }
    return json.putNull("claim");
  }
}
