// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks at every change of a claim that really takes place, and tells of those that may not: a
 * claim that was taken while it was another session's, or one that was finished and isn't any more.
 */
final class ClaimAudit extends ForwardingBackend {
  private static final JsonMapper JSON = new JsonMapper();

  private final Consumer<String> violations;

  ClaimAudit(ObjectBackend wrapped, Consumer<String> violations) {
    super(wrapped);
    this.violations = violations;
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    if (!key.contains("claims/")) {
      return super.put(key, body, condition, attempt);
    }
    Optional<JsonNode> before = before(key, condition);
    WriteResult result = super.put(key, body, condition, attempt);
    if (result.written() && before.isPresent()) {
      judge(key, before.get(), json(body));
    }
    return result;
  }

  /** What is replaced if the write takes place; empty when there is nothing, or it won't. */
  private Optional<JsonNode> before(String key, Condition condition) {
    ReadResult<Content> current = super.get(key, Optional.empty());
    if (!(current instanceof ReadResult.Found<Content> found)) {
      return Optional.empty();
    }
    try (Content content = found.content()) {
      ETag etag = found.etag();
      return condition.equals(Condition.ifMatch(etag))
          ? Optional.of(JSON.readTree(content.stream().readAllBytes()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void judge(String key, JsonNode before, JsonNode after) {
    for (String end : new String[] {"ack_at", "dead_lettered_at"}) {
      if (!before.path(end).isNull() && !before.path(end).equals(after.path(end))) {
        violations.accept("finished and changed: " + key + " " + before + " -> " + after);
      }
    }
    boolean finished = !before.path("ack_at").isNull() || !before.path("dead_lettered_at").isNull();
    boolean taken = !before.path("session_id").equals(after.path("session_id"));
    if (taken && !finished) {
      Instant now = moment(after, "claimed_at");
      if (now.isBefore(moment(before, "lease_until"))
          || now.isBefore(moment(before, "available_at"))) {
        violations.accept("taken before its time: " + key + " " + before + " -> " + after);
      }
    }
  }

  private static Instant moment(JsonNode claim, String field) {
    return UtcTimestamp.parse(claim.path(field).textValue()).orElseThrow();
  }

  private static JsonNode json(Body body) {
    try (InputStream in = body.open()) {
      return JSON.readTree(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
