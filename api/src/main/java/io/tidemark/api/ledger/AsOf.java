// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.objects.UtcTimestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Past state of a ledger: that of a commit or of a time. JSON has a number or a time with its zone.
 *
 * <p>A time that depends on the caller's clock or zone, such as {@code yesterday}, is resolved by
 * the caller: a request means the same on every machine, and whenever it is sent again.
 */
public sealed interface AsOf {

  /** State as of a commit; 0 is the empty state before the first. */
  record AtCommit(long id) implements AsOf {
    @JsonValue
    long json() {
      return id;
    }
  }

  /** State at a time, by the clocks of the committing processes. */
  record AtTime(Instant time) implements AsOf {
    @JsonValue
    String json() {
      return UtcTimestamp.format(time);
    }
  }

  /** Text of a commit. */
  Pattern COMMIT = Pattern.compile("-?[0-9]{1,18}");

  /** Returns the state as of a commit. */
  static AsOf commit(long id) {
    return new AtCommit(id);
  }

  /** Returns the state at a time. */
  static AsOf time(Instant time) {
    return new AtTime(time);
  }

  /** Parses a commit such as {@code 17}, or a time with its zone. */
  static Optional<AsOf> parse(String text) {
    if (COMMIT.matcher(text).matches()) {
      return Optional.of(new AtCommit(Long.parseLong(text)));
    }
    try {
      return Optional.of(new AtTime(OffsetDateTime.parse(text).toInstant()));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Reads the JSON form. */
  @JsonCreator
  static AsOf of(JsonNode json) {
    if (json.isIntegralNumber() && json.canConvertToLong()) {
      return new AtCommit(json.longValue());
    }
    return Optional.of(json)
        .filter(JsonNode::isTextual)
        .flatMap(text -> parse(text.textValue()))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"asOf\" has to be a commit such as 17, or a time with its zone such as"
                        + " 2026-02-10T12:00:00Z, unlike "
                        + json));
  }
}
