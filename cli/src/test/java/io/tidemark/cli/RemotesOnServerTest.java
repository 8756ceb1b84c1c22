// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameService;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs on remotes print the same of a directory and of a server that has one. */
final class RemotesOnServerTest extends LedgerCommandFixture {

  private NameService served;
  private TidemarkServer server;

  @BeforeEach
  void serve() {
    served = NameService.open(directory.resolve("served").toString());
    server =
        TidemarkServer.start(
            ServerSettings.standard().withPort(0),
            ServerResources.of(served),
            AccessControl.localOnly());
  }

  @AfterEach
  void stop() {
    server.close();
    served.close();
  }

  private String[] atServer(String... words) {
    return with(new String[] {"--server", server.address().toString()}, words);
  }

  /** Does it in both places, which have remotes of their own that are alike. */
  private void alike(int exitCode, String... words) {
    Outcome here = run(words);
    Outcome there =
        plain(
            atServer(
                Arrays.stream(words)
                    .map(word -> word.replace(remote("one"), remote("two")))
                    .toArray(String[]::new)));
    String what = Arrays.toString(words);
    assertThat(timeless(there.err())).as(what).isEqualTo(timeless(here.err()));
    assertThat(timeless(there.out())).as(what).isEqualTo(timeless(here.out()));
    assertThat(here.exitCode()).as(what + here.err()).isEqualTo(exitCode);
    assertThat(there.exitCode()).as(what).isEqualTo(exitCode);
  }

  private String remote(String side) {
    return directory.resolve("remote-of-" + side).toString();
  }

  private String timeless(String text) {
    return text.replace(remote("two"), "REMOTE")
        .replace(remote("one"), "REMOTE")
        .replace(directory.resolve("served").toUri().toString(), "PLACE/")
        .replace(directory.resolve("data").toUri().toString(), "PLACE/")
        .replaceAll("\\bb[a-z2-7]{50,}", "CID")
        .replaceAll("[0-9.]+ (B|[kMG]B)\\b", "SIZE")
        .replaceAll("\"bytes\":[0-9]+", "\"bytes\":0");
  }

  private void commit(String data, String id) throws IOException {
    String row = file("row.jsonl", "{\"id\":\"" + id + "\",\"age\":1}\n");
    assertThat(plain("commit", "crm", row, "--type", "Customer", "--data", data).exitCode())
        .isZero();
  }

  @Test
  void remotes() {
    alike(0, "remote", "list");
    alike(7, "fetch");
    alike(0, "remote", "add", "origin", remote("one"));
    alike(0, "remote", "add", "origin", remote("one"), "--json");
    alike(6, "remote", "add", "origin", "/elsewhere");
    alike(2, "remote", "add", "x", "https://user:secret@host");
    alike(0, "remote", "list");
    alike(0, "remote", "list", "--json");
    alike(5, "fetch");
    alike(1, "fetch", "nobody");
    alike(0, "remote", "remove", "origin", "--json");
    alike(1, "remote", "remove", "origin");
  }

  @Test
  void pushesAndPulls() throws IOException {
    crm();
    for (String words : List.of("ledger init crm", "commit crm rows --schema types")) {
      String[] all =
          words
              .replace("rows", file("rows.json", ROWS))
              .replace("types", file("types.json", TYPES))
              .split(" ", -1);
      assertThat(plain(atServer(all)).exitCode()).isZero();
    }
    alike(0, "remote", "add", "origin", remote("one"));
    alike(2, "push", "crm");
    alike(0, "push", "crm", "--remote", "origin", "--set-upstream");
    alike(0, "push", "crm");
    alike(0, "fetch");
    for (String side : List.of("one", "two")) {
      commit(remote(side), "c7");
    }
    alike(0, "push", "crm", "--json");
    alike(0, "fetch", "origin", "--json");
    alike(0, "pull", "crm", "--json");
    alike(0, "pull", "crm");
    alike(1, "pull", "nope", "--remote", "origin");
    for (String side : List.of("one", "two")) {
      commit(remote(side), "c8");
    }
    for (String data : List.of(directory.resolve("data").toString(), server.address().toString())) {
      commit(data, "c9");
    }
    alike(6, "push", "crm");
    alike(6, "pull", "crm", "--json");
    alike(0, "clone", remote("one"), "crm", "copy", "--origin", "second");
    alike(0, "clone", remote("one"), "crm", "copy", "--origin", "second");
    alike(1, "clone", remote("one"), "nope", "--origin", "second");
    alike(0, "remote", "list");
  }

  @Test
  void howFarAServerIsIsTold() throws IOException {
    crm();
    String data = directory.resolve("data").toString();
    Outcome told = watched(atServer("clone", data, "crm"));
    assertThat(told.err()).contains("copying [").contains("of 1 commit");
    assertThat(told.exitCode()).isZero();
  }

  @Test
  void aPathOnAServerIsWhole() {
    Outcome told = plain(atServer("remote", "add", "x", "../x"));
    assertThat(told.exitCode()).isEqualTo(4);
    assertThat(told.err()).contains("a path from the root of its machine");
  }
}
