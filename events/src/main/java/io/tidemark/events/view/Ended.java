// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.Delivery;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.Settlement;
import io.tidemark.events.model.Settlement.Settled;
import java.util.Optional;
import java.util.function.Function;

/**
 * How it ended that a session settled an event by its id.
 *
 * @param held what was to be settled
 * @param result {@code acked}, {@code released}, {@code dead_lettered}, {@code renewed}, or {@code
 *     superseded} when it had no effect
 * @param known whether there is such an event
 * @param claim as it is now; empty when there is none
 */
public record Ended(Held held, String result, boolean known, Optional<Claim> claim) {

  public static final String SUPERSEDED = "superseded";

  /** An event that a session is said to have claimed for a handler. */
  public record Held(String eventId, String handlerId, String sessionId) {}

  /** What is to be done with an event. */
  public enum Way {
    ACK,
    RELEASE,
    GIVE_UP,
    RENEW;

    /** Whether a claim of the session says that the same was done before. */
    private boolean wasDone(Claim claim) {
      return switch (this) {
        case ACK -> claim.ackAt().isPresent();
        case GIVE_UP -> claim.deadLetteredAt().isPresent();
        case RELEASE, RENEW -> false;
      };
    }

    private Function<Delivery, Settlement> how(String error) {
      return switch (this) {
        case ACK -> Delivery::ack;
        case RELEASE -> delivery -> delivery.release(error);
        case GIVE_UP -> delivery -> delivery.deadLetter(error);
        case RENEW -> Delivery::renew;
      };
    }
  }

  /**
   * Settles an event. Doing it again, as after an answer that was lost, tells the same where that
   * can be known.
   *
   * @param error what went wrong, if something did
   */
  public static Ended settle(Namespace namespace, Held held, Way way, String error) {
    Optional<Settled> settled =
        namespace
            .held(held.eventId(), held.handlerId(), held.sessionId())
            .map(way.how(error))
            .flatMap(end -> end instanceof Settled done ? Optional.of(done) : Optional.empty());
    return settled
        .map(done -> new Ended(held, word(way, done.claim()), true, Optional.of(done.claim())))
        .orElseGet(() -> superseded(namespace, held, way));
  }

  private static String word(Way way, Claim claim) {
    if (way == Way.RENEW) {
      return "renewed";
    }
    if (claim.ackAt().isPresent()) {
      return "acked";
    }
    return claim.deadLetteredAt().isPresent() ? "dead_lettered" : "released";
  }

  private static Ended superseded(Namespace namespace, Held held, Way way) {
    Optional<Inspection> found = namespace.inspect(held.eventId());
    Optional<Claim> claim =
        found.stream()
            .flatMap(inspection -> inspection.claims().stream())
            .filter(it -> it.handlerId().equals(held.handlerId()))
            .findFirst();
    boolean done =
        claim
            .filter(it -> it.sessionId().equals(held.sessionId()))
            .filter(way::wasDone)
            .isPresent();
    return new Ended(held, done ? word(way, claim.get()) : SUPERSEDED, found.isPresent(), claim);
  }

  /** Whether it had an effect, now or before. */
  public boolean isDone() {
    return !result.equals(SUPERSEDED);
  }

  public ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("event_id", held.eventId())
            .put("handler_id", held.handlerId())
            .put("session_id", held.sessionId())
            .put("result", result);
    if (claim.isEmpty()) {
      return json.putNull("claim");
    }
    json.set("claim", EventView.json(claim.get()));
    return json;
  }
}
