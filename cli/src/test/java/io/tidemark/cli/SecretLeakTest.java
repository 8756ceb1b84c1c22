// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.SourceType;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.testkit.process.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets are planted wherever there can be some, a server that logs all it can is asked for
 * everything by everybody, and nothing that it answers or logs has any of them.
 */
final class SecretLeakTest {

  private static final String PLANTED = "PLANTED";
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
  private static final String CONFIG =
      """
      {"url": "jdbc:postgresql://me:%1$s-url@host/db?password=%1$s-parameter", "region": "eu",
       "password": "%1$s-password", "nested": [{"client_secret": "%1$s-secret"}],
       "headers": {"Authorization": "Bearer %1$s-bearer"}}"""
          .formatted(PLANTED);

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> shown = new ArrayList<>();
  private URI address = URI.create("http://127.0.0.1");

  @Test
  void isNeverAnsweredNorLogged() throws Exception {
    String data = directory.resolve("data").toString();
    plantConfig(data);
    Path tokens = directory.resolve("tokens");
    String reader = token(tokens, "reader", "read:*");
    String writer = token(tokens, "writer", "read,write,lock,admin:*");
    List<String> logged;
    try (ChildJvm server =
        ChildJvm.start(
            Map.of("tidemark.log", "debug"),
            TidemarkCommand.class,
            "serve",
            "--data",
            data,
            "--port",
            "0",
            "--json",
            "--tokens",
            tokens.toString(),
            "--jwt-keys",
            keys().toString(),
            "--jwt-issuer",
            "https://issuer.example",
            "--jwt-audience",
            "tidemark")) {
      address =
          URI.create(
              new JsonMapper().readTree(server.nextLine().orElseThrow()).path("address").asText());
      askForEverything(reader, "");
      askForEverything("tm_000000000000_" + PLANTED, "");
      askForEverything(unsigned(), "");
      askForEverything(null, "");
      int answers = shown.size();
      assertThat(shown).anyMatch(answer -> answer.contains("[hidden]"));
      // Who may write is shown what was written; only the log may not have it.
      askForEverything(writer, "{\"password\":\"" + PLANTED + "-body\",\"next\":" + PLANTED);
      askForEverything(writer, "{\"password\":\"" + PLANTED + "-body\"}");
      assertThat(shown.subList(answers, shown.size())).anyMatch(a -> a.contains(PLANTED));
      assertThat(shown.subList(0, answers))
          .hasSizeGreaterThan(20)
          .allSatisfy(
              answer ->
                  assertThat(answer)
                      .doesNotContain(PLANTED, reader.substring(16), writer.substring(16)));
      assertThat(server.endBy("TERM")).isEqualTo(143);
      logged = server.errors();
    }
    assertThat(logged).as("it logs all it can").anyMatch(line -> line.contains("DEBUG"));
    assertThat(logged)
        .allSatisfy(
            line ->
                assertThat(line)
                    .doesNotContain(PLANTED, reader.substring(16), writer.substring(16)));
  }

  @Test
  void thePasswordOfADatabaseThatCannotBeReachedIsNotTold() {
    try (ChildJvm server =
        ChildJvm.start(
            Map.of("tidemark.log", "debug"),
            TidemarkCommand.class,
            "serve",
            "--data",
            directory.resolve("data").toString(),
            "--port",
            "0",
            "--features",
            "jdbc:postgresql://127.0.0.1:1/none?user=me&password=" + PLANTED + "-jdbc",
            "--debug")) {
      while (server.nextLine().isPresent()) {
        // until it gives up
      }
      assertThat(server.errors()).isNotEmpty().noneMatch(line -> line.contains(PLANTED));
    }
  }

  private static void plantConfig(String data) {
    try (NameService names = NameService.open(data)) {
      names.create(Address.parse("acme/crm"));
      names
          .graphSources()
          .publish(
              Address.parse("acme/search"),
              new SourceType("f:BM25"),
              Payload.parse(CONFIG),
              List.of("acme/crm"));
    }
  }

  private static String token(Path file, String name, String grant) {
    TokenRecord.NewToken newToken =
        TokenRecord.create(name, Grant.parse(grant), Instant.now(), Optional.empty());
    new TokenFile(file).add(newToken.token());
    return newToken.secret();
  }

  private Path keys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    String base64 =
        Base64.getMimeEncoder()
            .encodeToString(generator.generateKeyPair().getPublic().getEncoded());
    String pem = "-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n";
    return Files.writeString(directory.resolve("key.pem"), pem);
  }

  private static String unsigned() {
    String claims = "{\"iss\":\"https://issuer.example\",\"sub\":\"" + PLANTED + "-subject\"}";
    return encoded("{\"alg\":\"RS256\",\"kid\":\"" + PLANTED + "-kid\"}")
        + "."
        + encoded(claims)
        + "."
        + encoded(PLANTED);
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Every operation of the description of the API, on the record with the secrets in it. */
  private void askForEverything(@org.jspecify.annotations.Nullable String token, String body)
      throws Exception {
    JsonNode paths = new JsonMapper().readTree(body(request("get", "/openapi.json", null, "")));
    for (Map.Entry<String, JsonNode> path : paths.path("paths").properties()) {
      for (String method : METHODS) {
        if (path.getValue().has(method)) {
          shown.add(body(request(method, target(path.getKey()), token, body)));
        }
      }
    }
    shown.add(body(request("get", "/v1/names?exact&prefix=acme", token, "")));
    shown.add(body(request("get", "/v1/names/acme%2Fsearch/config?exact", token, "")));
    shown.add(body(request("get", "/no/such/path", token, "")));
  }

  private static String target(String template) {
    return template
        .replaceAll("\\{(address|name|ledger)}", "acme%2Fsearch:main")
        .replace("{concern}", "config")
        .replace("{purpose}", "index")
        .replaceAll("\\{[^}]*}", "x");
  }

  private HttpRequest request(
      String method, String path, @org.jspecify.annotations.Nullable String token, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.resolve(path))
            .method(method.toUpperCase(Locale.ROOT), BodyPublishers.ofString(body));
    return (token == null ? request : request.header("Authorization", "Bearer " + token)).build();
  }

  /** All of an answer, with its head; of one that goes on, nothing. */
  private String body(HttpRequest request)
      throws IOException, InterruptedException, ExecutionException {
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(request, BodyHandlers.ofString());
    try {
      HttpResponse<String> whole =
          answer.get(request.uri().getPath().contains("watch") ? 2 : 60, TimeUnit.SECONDS);
      return request.uri().getPath().equals("/openapi.json")
          ? whole.body()
          : whole.headers().map() + whole.body();
    } catch (TimeoutException e) {
      answer.cancel(true);
      return "";
    }
  }
}
