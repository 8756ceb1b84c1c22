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
 * Why a request wasn't carried out, as RFC 9457 has it.
 *
 * @param status of the answer
 * @param code what programs go by; the same from release to release
 * @param detail for people: the problem, the value and the remedy
 * @param more further members, such as the actual state of a conflict
 */
public record Problem(int status, String code, String detail, Map<String, JsonNode> more) {

  /** The media type of a problem. */
  public static final String TYPE = "application/problem+json";

  public Problem {
    more = Map.copyOf(more);
  }

  public static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail, Map.of());
  }

  /** The same with one more member. */
  public Problem with(String member, JsonNode value) {
    Map<String, JsonNode> members = new TreeMap<>(more);
    members.put(member, value);
    return new Problem(status, code, detail, members);
  }

  /** What a failure of any room is to those outside. */
  public static Problem of(TidemarkException e) {
    String detail = redacted(String.valueOf(e.getMessage()));
    // A refusal by another server keeps the code that it has there.
    Throwable refusal = e instanceof StoreAccessException ? e.getCause() : e;
    return refusal instanceof ServerProblemException other && other.status() >= 400
        ? of(other.status(), other.code(), detail)
        : of(e.kind().status(), e.code(), detail);
  }

  /** A room says where things are, and a URL may have a password in it. */
  private static String redacted(String message) {
    return message.contains("://") ? Redaction.of(message) : message;
  }

  /** The document. */
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
