// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.util.Optional;

/**
 * Cleanup of a namespace. In JSON a bound is a number of seconds, such as {@code before}, or a time
 * in the member with {@code _time} behind its name.
 *
 * @param before events published before are deleted; empty for an age of 7 days
 * @param force whether events are deleted that aren't finished
 * @param deadLetters dead letters of events given up before are deleted; empty to keep all
 * @param sessions sessions last heard of before are deleted; empty to keep all
 */
@RecordBuilder
public record EventCleanupRequest(
    Optional<Cutoff> before, boolean force, Optional<Cutoff> deadLetters, Optional<Cutoff> sessions)
    implements EventCleanupRequestBuilder.With {

  private static final String BEFORE = "before";
  private static final String DEAD_LETTERS = "dead_letters";
  private static final String SESSIONS = "sessions";
  private static final String TIME = "_time";

  /** Returns a cleanup of finished events that are older than 7 days. */
  public static EventCleanupRequest standard() {
    return new EventCleanupRequest(Optional.empty(), false, Optional.empty(), Optional.empty());
  }

  /** Reads the JSON form. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static EventCleanupRequest read(ObjectNode json) {
    return new EventCleanupRequest(
        cutoff(json, BEFORE),
        json.path("force").asBoolean(),
        cutoff(json, DEAD_LETTERS),
        cutoff(json, SESSIONS));
  }

  private static Optional<Cutoff> cutoff(ObjectNode json, String member) {
    JsonNode age = json.path(member);
    JsonNode time = json.path(member + TIME);
    if (age.isNumber() && time.isTextual()) {
      throw invalid("give \"%s\" or \"%s%s\", not both".formatted(member, member, TIME));
    }
    if (age.isNumber()) {
      return Optional.of(Cutoff.age(Duration.ofSeconds(age.longValue())));
    }
    return time.isTextual()
        ? Optional.of(
            UtcTimestamp.parse(time.textValue())
                .map(Cutoff::time)
                .orElseThrow(
                    () ->
                        invalid(
                            "\"%s%s\" must be a time like 2026-11-19T14:30:00Z, got %s"
                                .formatted(member, TIME, time))))
        : Optional.empty();
  }

  private static TidemarkException invalid(String message) {
    return new TidemarkException(ErrorCode.INVALID_REQUEST, message);
  }

  /** Returns the JSON form. */
  @JsonValue
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    put(json, BEFORE, before);
    if (force) {
      json.put("force", true);
    }
    put(json, DEAD_LETTERS, deadLetters);
    put(json, SESSIONS, sessions);
    return json;
  }

  private static void put(ObjectNode json, String member, Optional<Cutoff> cutoff) {
    cutoff.ifPresent(
        bound -> {
          if (bound instanceof Cutoff.Age age) {
            json.put(member, age.seconds());
          } else if (bound instanceof Cutoff.Time time) {
            json.put(member + TIME, UtcTimestamp.format(time.time()));
          }
        });
  }
}
