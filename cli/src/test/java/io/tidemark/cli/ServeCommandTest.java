// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server that runs in a process of its own. */
@ExtendWith(ServerExtension.class)
final class ServeCommandTest {

  @TempDir private Path directory;

  @Test
  void servesUntilItIsToldToEnd() throws Exception {
    String[] words = {"serve", "--data", directory.resolve("data").toString(), "--port", "0"};
    try (ChildJvm child = ChildJvm.start(TidemarkCommand.class, and(words, "--json"))) {
      JsonNode told = new JsonMapper().readTree(child.nextLine().orElseThrow());
      assertThat(told.path("names").asText()).startsWith("file:").endsWith("/data/");
      URI live = URI.create(told.path("address").asText() + "/live");
      HttpRequest request = HttpRequest.newBuilder(live).build();
      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body())
          .isEqualTo("{\"status\":\"live\"}");

      URI unknown = URI.create(told.path("address").asText() + "/lvie?token=secret");
      assertThat(
              HttpClient.newHttpClient()
                  .send(HttpRequest.newBuilder(unknown).build(), BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(404);

      assertThat(child.endBy("TERM")).isEqualTo(143);
      assertThat(child.errors()).hasSize(3);
      assertThat(child.errors().get(0)).contains("GET /live 200").contains("caller=anonymous");
      assertThat(child.errors().get(1))
          .contains("GET /lvie 404")
          .contains("route=none")
          .doesNotContain("secret");
      assertThat(child.errors().get(2)).isEqualTo("tidemark: stopped");
    }
  }

  @Test
  void oneThatPassesAllOnPassesFeaturesAndRemotesOnToo() throws Exception {
    try (NameService names = NameService.open("memory:");
        TidemarkServer upstream =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0), ServerResources.of(names))) {
      String[] words = {"serve", "--data", upstream.address().toString(), "--port", "0", "--json"};
      try (ChildJvm child = ChildJvm.start(TidemarkCommand.class, words)) {
        JsonNode told = new JsonMapper().readTree(child.nextLine().orElseThrow());
        assertThat(told.path("features").asText()).isEqualTo(upstream.address().toString());
        Map<String, String> answers =
            Map.of("collections", "has no features", "remotes", "are in no object store");
        for (String resource : answers.keySet()) {
          URI there = URI.create(told.path("address").asText() + "/v1/" + resource);
          HttpRequest request =
              HttpRequest.newBuilder(there).header("X-Request-Id", "passed-on").build();
          // Which has none, and says so.
          assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body())
              .contains(answers.get(resource), "passed-on");
        }
      }
    }
  }

  /** Nobody else does: the other server doesn't know of them. */
  @Test
  void oneThatPassesOnTheRestNumbersTransactionsOfItsOwnFeatures(PostgresServer postgres)
      throws Exception {
    try (NameService names = NameService.open("memory:");
        TidemarkServer upstream =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0), ServerResources.of(names))) {
      String[] words = {"serve", "--data", upstream.address().toString(), "--port", "0", "--json"};
      try (ChildJvm child =
          ChildJvm.start(
              TidemarkCommand.class, and(words, "--features", postgres.createDatabase()))) {
        String address =
            new JsonMapper().readTree(child.nextLine().orElseThrow()).path("address").asText();
        put(address + "/v1/collections/c", "{\"partitioned\":false}");
        put(
            address + "/v1/collections/c/features/a",
            "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{}}");
        HttpRequest changes =
            HttpRequest.newBuilder(URI.create(address + "/v1/changes?after=0&wait=60s")).build();
        assertThat(HttpClient.newHttpClient().send(changes, BodyHandlers.ofString()).body())
            .contains("\"seq_number\":1");
      }
    }
  }

  private static void put(String uri, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri)).PUT(BodyPublishers.ofString(body)).build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  @Test
  void isNotReachedFromOtherMachinesUnlessItAsksWhoCalls() {
    String[] words = {"serve", "--data", directory.resolve("data").toString(), "--port", "0"};
    StringWriter err = new StringWriter();
    int code =
        TidemarkCommand.run(
            CommandDescriptor.all(),
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            and(words, "--host", "0.0.0.0"));
    assertThat(code).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("--tokens").contains("--insecure");
  }

  @Test
  void aServerThatOnlyReadsSaysSoAndRefusesTheRest() throws Exception {
    String data = directory.resolve("data").toString();
    try (NameService names = NameService.open(data)) {
      names.create(Address.parse("db"));
    }
    try (ServerProcess server = ServerProcess.on(Map.of(), "--data", data, "--read-only")) {
      assertThat(server.told().path("read_only").asBoolean()).isTrue();
      assertThat(server.get("/ready").path("read_only").asBoolean()).isTrue();
      assertThat(server.get("/v1/names").path("items")).hasSize(1);
      StringWriter err = new StringWriter();
      int code =
          TidemarkCommand.run(
              CommandDescriptor.all(),
              new PrintWriter(new StringWriter()),
              new PrintWriter(err),
              "create",
              "other",
              "--server",
              server.told().path("address").asText());
      assertThat(code).isEqualTo(ExitCodes.STORAGE);
      assertThat(err.toString()).contains("serve --read-only");
    }
    String[] words = {"serve", "--data", data, "--port", "0", "--read-only"};
    try (ChildJvm child = ChildJvm.start(TidemarkCommand.class, words)) {
      assertThat(child.nextLine().orElseThrow()).startsWith("Tidemark listens on ");
      assertThat(child.nextLine().orElseThrow()).startsWith("  names            file:");
      assertThat(child.nextLine().orElseThrow()).startsWith("  ledgers, events  file:");
      child
          .expectLine("  features         -")
          .expectLine("  callers          anybody on this machine, unasked")
          .expectLine("  writes           refused (--read-only)");
    }
  }

  /**
   * A server that is told nothing of tokens takes those that 'token create' makes without a word.
   */
  @Test
  void theUsualFileOfTokensIsTakenIfItIsThereAndCallersAreNotKnownOtherwise() throws Exception {
    Map<String, String> here = Map.of("user.dir", directory.toString());
    String[] create = {"token", "create", "ada", "--grant", "read:names", "--quiet"};
    String token;
    try (ChildJvm child = ChildJvm.start(here, TidemarkCommand.class, create)) {
      token = child.linesToEnd().get(0);
    }
    assertThat(directory.resolve("tidemark-tokens")).exists();
    try (ServerProcess server = ServerProcess.on(here, "--data", "memory:")) {
      assertThat(server.told().path("callers").asText())
          .isEqualTo("by the tokens in ./tidemark-tokens");
      assertThat(status(server, Optional.empty())).isEqualTo(401);
      assertThat(status(server, Optional.of(token))).isEqualTo(200);
    }
    try (ServerProcess server = ServerProcess.on(here, "--data", "memory:", "--insecure")) {
      assertThat(server.told().path("callers").asText()).isEqualTo("anybody, unasked (--insecure)");
      assertThat(status(server, Optional.empty())).isEqualTo(200);
    }
    Map<String, String> elsewhere =
        Map.of("user.dir", Files.createDirectory(directory.resolve("else")).toString());
    try (ServerProcess server = ServerProcess.on(elsewhere, "--data", "memory:")) {
      assertThat(server.told().path("callers").asText())
          .isEqualTo("anybody on this machine, unasked");
      assertThat(status(server, Optional.empty())).isEqualTo(200);
    }
  }

  private static int status(ServerProcess server, Optional<String> token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.at("/v1/names"));
    token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  @Test
  void aHeadThatCannotBeMovedIsOneLineOfTheLog(PostgresServer postgres) throws Exception {
    String data = directory.resolve("data").toString();
    try (NameService names = NameService.open(data)) {
      // Of a ledger, which no collection takes for its own.
      names
          .ledgers()
          .compareAndSetCommit(Address.parse("store/roads"), Optional.empty(), Ref.of("c1", 1));
    }
    try (ServerProcess server =
        ServerProcess.on(Map.of(), "--data", data, "--features", postgres.createDatabase())) {
      put(server.at("/v1/collections/roads").toString(), "{\"partitioned\":false}");
      String head = "can't move the head of roads";
      await().until(() -> server.process().errors().stream().anyMatch(line -> line.contains(head)));
      assertThat(server.process().endBy("TERM")).isEqualTo(143);
      List<String> log = server.process().errors();
      assertThat(log).filteredOn(line -> line.contains(head)).hasSize(1);
      assertThat(log)
          .filteredOn(line -> line.contains(head))
          .first()
          .asString()
          .contains("and try again: the record store/roads:main isn't this collection's");
      assertThat(log).noneMatch(line -> line.startsWith("\t") || line.contains("Exception"));
    }
  }

  private static String[] and(String[] words, String... more) {
    String[] all = java.util.Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return all;
  }
}
