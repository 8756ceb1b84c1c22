// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.problem;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.ServerProblemException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.TidemarkException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Problem of a request, as RFC 9457 defines it.
 *
 * @param status HTTP status of the answer
 * @param code code for programs, stable across releases
 * @param detail for people: the problem, the value and the remedy
 * @param more further members, such as the actual state of a conflict
 */
public record Problem(int status, String code, String detail, Map<String, JsonNode> more) {

  /** Media type of a problem. */
  public static final String TYPE = "application/problem+json";

  public Problem {
    more = Map.copyOf(more);
  }

  public static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail, Map.of());
  }

  /** Returns this problem with one more member. */
  public Problem with(String member, JsonNode value) {
    Map<String, JsonNode> members = new TreeMap<>(more);
    members.put(member, value);
    return new Problem(status, code, detail, members);
  }

  /** Returns the problem for a failure of any module. */
  public static Problem of(TidemarkException e) {
    String detail = redacted(String.valueOf(e.getMessage()));
    // A refusal by another server keeps the code of that server.
    Throwable refusal = e instanceof StoreAccessException ? e.getCause() : e;
    return refusal instanceof ServerProblemException other && other.status() >= 400
        ? of(other.status(), other.code(), detail)
        : of(e.kind().status(), e.code(), detail);
  }

  /** Redacts a message, which may contain a URL with a password. */
  private static String redacted(String message) {
    return message.contains("://") ? Redaction.of(message) : message;
  }

  /** Returns the problem document. */
  public ObjectNode json(String requestId) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", "urn:tidemark:problem:" + code);
    json.put("title", code.replace('-', ' '));
    json.put("status", status);
    json.put("code", code);
    json.put("detail", detail);
    json.put("instance", "urn:tidemark:request:" + requestId);
    new TreeMap<>(more).forEach(json::set);
    return json;
  }
}
