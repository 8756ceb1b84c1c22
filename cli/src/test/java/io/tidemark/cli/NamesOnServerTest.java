// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.NameService;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every verb on names says the same of a server as of the directory that it would serve. */
final class NamesOnServerTest {

  private static final String COMMIT = "{\"id\":\"c1\",\"t\":1}";
  private static final String INDEX = "{\"default\":{\"id\":\"i1\",\"t\":1}}";

  private record Outcome(int exitCode, String out, String err) {}

  @TempDir private Path directory;

  private static Outcome run(List<String> words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.run(
            CommandDescriptor.all(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            words.toArray(String[]::new));
    return new Outcome(exitCode, timeless(out.toString()), timeless(err.toString()));
  }

  /** Without what differs from one moment to the next. */
  private static String timeless(String text) {
    return text.replaceAll("20[0-9]{2}-[0-9-]+T[0-9:.]+Z", "NOW")
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
        .replaceAll("\\b1[0-9]{9}([0-9]{3})?\\b", "NOW");
  }

  private static List<String> at(List<String> words, String... place) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(place));
    return all;
  }

  private static List<List<String>> everything() {
    return List.of(
        List.of("list"),
        List.of("show", "mydb"),
        List.of("create", "mydb"),
        List.of("create", "mydb"),
        List.of("create", "tenant/crm:dev", "--json"),
        List.of("create", "not valid"),
        List.of("show", "mydb"),
        List.of("show", "mydb", "--json"),
        List.of("concern", "get", "mydb", "head"),
        List.of("concern", "push", "mydb", "head", "1", COMMIT, "--expect", "0"),
        List.of("concern", "push", "mydb", "head", "1", COMMIT, "--expect", "0"),
        List.of("concern", "push", "mydb", "head", "1", COMMIT, "--expect", "0", "--json"),
        List.of("concern", "push", "nope", "status", "2", "{\"state\":\"x\"}", "--expect", "1"),
        List.of("concern", "push", "born", "head", "1", COMMIT),
        List.of("concern", "push", "mydb", "head", "2", "{\"t\":2}", "--expect", "1"),
        List.of("concern", "push", "mydb", "config", "1", "{\"n\":1.10}", "--expect", "0"),
        List.of("concern", "get", "mydb", "config", "--json"),
        List.of("concern", "advance", "mydb", "head", "7", "{\"id\":\"c7\",\"t\":7}"),
        List.of("concern", "advance", "mydb", "head", "7", "{\"id\":\"c7\",\"t\":7}"),
        List.of("concern", "advance", "mydb", "status", "7", "{\"state\":\"x\"}"),
        List.of("concern", "advance", "mydb", "index", "1", INDEX),
        List.of("branch", "create", "mydb", "dev"),
        List.of("branch", "create", "mydb", "old", "--at-id", "c1", "--at-t", "1", "--json"),
        List.of("branch", "create", "mydb", "dev"),
        List.of("branch", "create", "nope", "dev"),
        List.of("branch", "list", "mydb"),
        List.of("branch", "list", "nope"),
        List.of("purge", "mydb", "--yes"),
        List.of("branch", "drop", "mydb:dev"),
        List.of("branch", "drop", "mydb:old", "--json"),
        List.of("branch", "drop", "mydb"),
        List.of("branch", "drop", "mydb", "--unfinished"),
        List.of("branch", "drop", "mydb", "--unfinished", "--json"),
        List.of("source", "create", "search", "f:Bm25Index", "{ \"k1\": 1.2 }", "--from", "mydb"),
        List.of("source", "create", "mydb", "f:Bm25Index", "{}"),
        List.of("source", "list"),
        List.of("concern", "get", "search", "head"),
        List.of("lock", "acquire", "mydb", "index", "--holder", "me", "--target-t", "9"),
        List.of("lock", "acquire", "mydb", "index", "--holder", "you"),
        List.of("lock", "show", "mydb", "index", "--json"),
        List.of("lock", "refresh", "mydb", "index", "--epoch", "1", "--progress", "0.5"),
        List.of("lock", "refresh", "mydb", "index", "--epoch", "9"),
        List.of("lock", "release", "mydb", "index", "--epoch", "1"),
        List.of("lock", "show", "mydb", "index"),
        List.of("retract", "mydb"),
        List.of("retract", "nope"),
        List.of("concern", "advance", "mydb", "head", "8", "{\"id\":\"c8\",\"t\":8}"),
        List.of("restore", "mydb"),
        List.of("list", "--json"),
        List.of("list", "tenant/"),
        List.of("list", "--kind", "graph_source", "--state", "ready"),
        List.of("list", "--limit", "1", "--after", "mydb:main"),
        List.of("watch", "--from", "start", "--count", "4"),
        List.of("migrate"),
        List.of("migrate", "--apply", "--json"),
        List.of("purge", "mydb"),
        List.of("purge", "mydb", "--yes"),
        List.of("purge", "mydb", "--yes", "--json"),
        List.of("list"));
  }

  @Test
  void everyVerbSaysTheSame() {
    String local = directory.resolve("local").toString();
    try (NameService names = NameService.open(directory.resolve("served").toString());
        TidemarkServer server =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0),
                ServerResources.of(names),
                AccessControl.localOnly())) {
      String url = server.address().toString();
      for (List<String> words : everything()) {
        Outcome here = run(at(words, "--data", local));
        assertThat(run(at(words, "--server", url))).as("%s", words).isEqualTo(here);
      }
    }
  }

  @Test
  void aTokenComesFromAFile() throws IOException {
    Path tokens = directory.resolve("tokens");
    TokenRecord.NewToken newToken =
        TokenRecord.create("reader", Grant.parse("read:names"), Instant.now(), Optional.empty());
    new TokenFile(tokens).add(newToken.token());
    String secret = newToken.secret();
    Path file = Files.writeString(directory.resolve("my token"), secret + "\n");
    try (NameService names = NameService.open("memory:");
        TidemarkServer server =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0),
                ServerResources.of(names),
                AccessControl.of(AccessSettings.none().withTokens(tokens)))) {
      String url = server.address().toString();
      String[] known = {"--server", url, "--token-file", file.toString()};
      assertThat(run(at(List.of("list"), known))).isEqualTo(new Outcome(0, "no records\n", ""));
      Outcome refused = run(at(List.of("create", "mydb"), known));
      assertThat(refused.exitCode()).isEqualTo(ExitCodes.STORAGE);
      assertThat(refused.err()).doesNotContain(secret);
      Outcome unknown = run(List.of("list", "--server", url));
      assertThat(unknown.exitCode()).isEqualTo(ExitCodes.STORAGE);
      assertThat(unknown.err())
          .contains("this takes a token")
          .contains("a command takes the token from --token-file or TIDEMARK_TOKEN");
    }
  }

  @Test
  void twoPlacesAreOneTooMany() {
    Outcome both = run(List.of("list", "--data", "memory:", "--server", "http://localhost:1"));
    assertThat(both.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(both.err()).contains("--data and --server are two places; give one of them");
    Outcome path = run(List.of("list", "--server", "./data"));
    assertThat(path.err()).contains("a server is at an address like http://host:7700");
    Outcome token = run(List.of("list", "--data", "memory:", "--token-file", "x"));
    assertThat(token.err()).contains("--token-file is for --server");
  }

  @Test
  void aTokenInAUrlIsRefusedAndNotRepeated() {
    Outcome outcome = run(List.of("list", "--server", "http://me:tidemark-secret@localhost:1"));
    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.err()).contains("TIDEMARK_TOKEN").doesNotContain("tidemark-secret");
  }
}
