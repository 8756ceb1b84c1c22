// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Check of a server's authentication: a file of tokens, or the keys of JWT. */
final class AuthenticationCheck {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String KEYS = "keys of JWT";

  private AuthenticationCheck() {}

  static Diagnosis tokens(Path file) {
    String remedy = "see 'tidemark token list --tokens " + file + "'";
    return Diagnosis.of(
        "tokens",
        remedy,
        () -> {
          List<TokenRecord> tokens = new TokenFile(file).read();
          Instant now = Instant.now();
          long valid =
              tokens.stream()
                  .filter(tokenRecord -> tokenRecord.expires().map(now::isBefore).orElse(true))
                  .count();
          String detail = file + " has " + tokens.size() + ", of which " + valid + " are valid";
          return valid == 0
              ? Diagnosis.warning("tokens", detail, "make one with 'tidemark token create'")
              : Diagnosis.ok("tokens", detail);
        });
  }

  /** Checks that keys can be read, from a URL as a server would fetch them. */
  static Diagnosis keys(String place) {
    try {
      boolean url = place.matches("https?://.*");
      String text = url ? fetched(URI.create(place)) : Files.readString(Path.of(place));
      if (!url && text.contains("BEGIN PUBLIC KEY")) {
        return Diagnosis.ok(KEYS, place + " has one");
      }
      JsonNode keys = new JsonMapper().readTree(text).path("keys");
      return keys.isEmpty()
          ? Diagnosis.failure(KEYS, place + " has none", "give a JWKS, or a public key in PEM")
          : Diagnosis.ok(KEYS, place + " has " + keys.size());
    } catch (IOException | IllegalArgumentException e) {
      return Diagnosis.failure(
          KEYS,
          place + " can't be read (" + e.getClass().getSimpleName() + ")",
          "check --jwt-keys, and that this machine can reach it");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Diagnosis.failure(KEYS, "interrupted", "try again");
    }
  }

  private static String fetched(URI uri) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .build()
            .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("status " + answer.statusCode());
    }
    return answer.body();
  }
}
