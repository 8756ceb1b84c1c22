// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.Version;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Check of a server: whether it answers, its version, its clock, and whether it accepts the token.
 */
final class ServerCheck {

  private static final String API = "v1";
  private static final String UNREACHED = "start it with 'tidemark serve', or check --server";
  private static final String THERE =
      "look from where the server runs: 'tidemark doctor' with its --data, and its log";
  private static final String TOKEN =
      "set TIDEMARK_TOKEN or give --token-file; 'tidemark token create' makes a token, and the"
          + " server's log says what is wrong with a JWT";

  private final ServerConnection serverConnection;

  private ServerCheck(ServerConnection serverConnection) {
    this.serverConnection = serverConnection;
  }

  static List<Diagnosis> of(String location) {
    try {
      return new ServerCheck(ServerConnection.open(location)).look();
    } catch (TidemarkException e) {
      return List.of(Diagnosis.failure("server", String.valueOf(e.getMessage()), UNREACHED));
    }
  }

  private List<Diagnosis> look() {
    ServerResponse warm =
        serverConnection.send(ServerRequest.get("live")).orThrow(); // finding it takes its time
    Instant before = Instant.now();
    ServerResponse version = serverConnection.send(ServerRequest.get("version")).orThrow();
    Instant middle = before.plus(Duration.between(before, Instant.now()).dividedBy(2));
    List<Diagnosis> found = new ArrayList<>();
    found.add(version(version.json()));
    date(version.header("Date").or(() -> warm.header("Date")))
        .ifPresent(
            date ->
                found.add(Diagnosis.clock("clock of the server", Duration.between(middle, date))));
    found.add(Diagnosis.of("token", TOKEN, this::token));
    found.add(Diagnosis.of("stores of the server", THERE, this::ready));
    found.add(Diagnosis.of("features", THERE, this::features));
    return found;
  }

  private Diagnosis version(JsonNode told) {
    String there = told.path("version").asText();
    String detail =
        "%s is Tidemark %s, API %s".formatted(serverConnection, there, told.path("api").asText());
    if (!told.path("api").asText().equals(API)) {
      return Diagnosis.failure("server", detail, "use a command of the server's version");
    }
    String here = Version.number();
    return there.equals(here)
        ? Diagnosis.ok("server", detail)
        : Diagnosis.warning(
            "server",
            detail + "; this command is " + here,
            "use the same version, unless an upgrade is under way");
  }

  /** Told in whole seconds, so half of one is likeliest to have gone by. */
  private static Optional<Instant> date(Optional<String> header) {
    try {
      return header.map(
          text ->
              ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                  .toInstant()
                  .plusMillis(500));
    } catch (DateTimeParseException e) {
      return Optional.empty(); // from a proxy, whose clock doesn't matter
    }
  }

  private Diagnosis token() {
    ServerResponse serverResponse = serverConnection.send(ServerRequest.get(API, "caller"));
    JsonNode caller = serverResponse.orThrow().json();
    if (!caller.path("known").asBoolean()) {
      return Diagnosis.ok("token", "none is needed: the server asks nobody who they are");
    }
    List<String> grants = new ArrayList<>();
    caller.path("grants").forEach(grant -> grants.add(grant.asText()));
    String name = caller.path("name").asText();
    return grants.isEmpty()
        ? Diagnosis.warning(
            "token",
            name + " may do nothing",
            "make another: 'tidemark token create NAME --grant read:names'")
        : Diagnosis.ok("token", name + " may " + String.join(" ", grants));
  }

  private Diagnosis ready() {
    serverConnection.send(ServerRequest.get("ready")).orThrow();
    return Diagnosis.ok("stores of the server", "answer");
  }

  private Diagnosis features() {
    ServerResponse serverResponse =
        serverConnection.send(ServerRequest.get(API, "collections").query("limit", "1"));
    if (serverResponse.code().equals("no-features")) {
      return Diagnosis.ok("features", "aren't served");
    }
    if (serverResponse.status() == 401 || serverResponse.status() == 403) {
      return Diagnosis.ok("features", "are out of the caller's reach");
    }
    serverResponse.orThrow();
    return Diagnosis.ok("features", "are served");
  }
}
