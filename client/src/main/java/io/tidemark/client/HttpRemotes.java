// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Function;

/**
 * The remotes of a server, which fetches, pulls and pushes itself. What is asked and answered is
 * JSON as the description of the API has it; what the server refuses ends with an exception that
 * has its code and words.
 */
public final class HttpRemotes {

  private static final String REMOTES = "remotes";
  private static final String PAGE = "1000";

  private final Connection connection;
  private final Progress progress;

  /** Told now and then how far copying is. */
  @FunctionalInterface
  public interface Progress {

    /** So many commits are there of how many there are to be, and so many bytes were sent. */
    void at(long commits, long ofCommits, long bytes);
  }

  private HttpRemotes(Connection connection, Progress progress) {
    this.connection = connection;
    this.progress = progress;
  }

  /** Those of a server, by its location. */
  public static HttpRemotes at(String location, Progress progress) {
    return new HttpRemotes(Connection.open(location), progress);
  }

  /** All remotes, by name. */
  public JsonNode list() {
    return json(Request.get("v1", REMOTES)).path("items");
  }

  /** A remote, with what was last seen there. */
  public JsonNode get(String name) {
    return whole(Request.get("v1", REMOTES, name), connection::send);
  }

  public JsonNode add(String name, String location) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("location", location);
    return json(Request.of("PUT", "v1", REMOTES, name).json(body));
  }

  public JsonNode remove(String name) {
    return json(Request.of("DELETE", "v1", REMOTES, name));
  }

  public JsonNode fetch(String name) {
    return whole(Request.of("POST", "v1", REMOTES, name, "fetch"), connection::sendPatiently);
  }

  /** All pages as one: what is a list in them goes on in the next. */
  private static JsonNode whole(Request request, Function<Request, Answer> server) {
    Request listing = request.query("limit", PAGE);
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    Optional<String> cursor = Optional.empty();
    do {
      JsonNode page =
          server
              .apply(cursor.map(place -> listing.query("cursor", place)).orElse(listing))
              .orThrow()
              .json();
      cursor = Optional.ofNullable(page.path("next").textValue());
      page.properties()
          .forEach(
              member -> {
                if (member.getValue() instanceof ArrayNode items) {
                  all.withArray(member.getKey()).addAll(items);
                } else if (!member.getKey().equals("next")) {
                  all.set(member.getKey(), member.getValue());
                }
              });
    } while (cursor.isPresent());
    return all;
  }

  private JsonNode json(Request request) {
    return connection.send(request).orThrow().json();
  }

  /** Moves an address on a remote to where it is on the server. */
  public JsonNode push(ObjectNode move) {
    return followed("push", move);
  }

  /** Moves an address on the server to where it is on a remote. */
  public JsonNode pull(ObjectNode move) {
    return followed("pull", move);
  }

  /** Makes a ledger on the server that is at a location. */
  public JsonNode cloneLedger(ObjectNode wanted) {
    return followed("clone", wanted);
  }

  private JsonNode followed(String verb, ObjectNode body) {
    return ProgressLines.follow(
        connection,
        Request.of("POST", "v1", verb).json(body),
        line ->
            progress.at(
                line.path("commits").asLong(),
                line.path("of_commits").asLong(),
                line.path("bytes").asLong()));
  }
}
