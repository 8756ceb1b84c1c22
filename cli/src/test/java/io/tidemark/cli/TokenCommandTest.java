// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.cli.terminal.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenCommandTest {

  private record Outcome(int exitCode, String out, String err) {}

  @TempDir private Path directory;

  private Outcome run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(0, "token");
    all.addAll(List.of("--tokens", directory.resolve("tokens").toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        TidemarkCommand.run(
            CommandDescriptor.all(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            all.toArray(String[]::new));
    return new Outcome(code, out.toString(), err.toString());
  }

  private String done(String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome.out().strip();
  }

  @Test
  void aTokenIsShownOnceAndListedWithoutItsSecret() throws IOException {
    String shown =
        done("create", "ci", "--grant", "read,write:names/acme/", "--grant", "read:events");
    String token = shown.lines().findFirst().orElseThrow();
    assertThat(token).matches("tm_[0-9a-f]{12}_[A-Za-z0-9_-]{43}");
    assertThat(shown)
        .contains("ci may: read:names/acme/ write:names/acme/ read:events")
        .contains("It isn't shown again.");
    String list = done("list");
    assertThat(list.lines().findFirst().orElseThrow()).matches("NAME +ID +EXPIRES +MAY");
    assertThat(list).contains(token.substring(3, 15), "read:names/acme/ write:names/acme/");
    String secret = token.substring(16);
    assertThat(list + Files.readString(directory.resolve("tokens"))).doesNotContain(secret);
  }

  @Test
  void programsGetJson() throws IOException {
    JsonNode made =
        new JsonMapper()
            .readTree(done("create", "me", "--grant", "read:*", "--expires", "7d", "--json"));
    assertThat(made.path("token").asText()).startsWith("tm_" + made.path("id").asText() + "_");
    JsonNode listed = new JsonMapper().readTree(done("list", "--json")).path(0);
    assertThat(listed.path("grants")).hasSize(4);
    assertThat(listed.path("expires").asText()).isEqualTo(made.path("expires").asText());
    assertThat(listed.has("token")).isFalse();
    assertThat(done("remove", "me", "--json")).isEqualTo("{\"removed\":\"me\"}");
    assertThat(done("list", "--json")).isEqualTo("[]");
    assertThat(done("list")).isEmpty();
    assertThat(done("create", "me", "--grant", "read:names", "--quiet"))
        .matches("tm_[0-9a-f]{12}_[A-Za-z0-9_-]{43}");
  }

  @Test
  void mistakesAreExplained() {
    done("create", "me", "--grant", "read:names");
    for (List<String> words :
        List.of(
            List.of("create", "me", "--grant", "read:names"),
            List.of("remove", "you"),
            List.of("create", "no name", "--grant", "read:names"))) {
      Outcome outcome = run(words.toArray(String[]::new));
      assertThat(outcome.exitCode()).isEqualTo(ExitCodes.REFUSED);
      assertThat(outcome.err()).startsWith("tidemark: ").doesNotContain("\tat ");
    }
    Outcome grant = run("create", "you", "--grant", "reed:names");
    assertThat(grant.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(grant.err()).contains("there is no action \"reed\", only read, write, lock, admin");
    assertThat(run().exitCode()).isEqualTo(ExitCodes.USAGE);
  }
}
