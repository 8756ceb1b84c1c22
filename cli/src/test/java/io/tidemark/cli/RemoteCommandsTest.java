// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pushing and pulling on the command line, between two directories. */
class RemoteCommandsTest extends LedgerCommandFixture {

  /** The same verb in the other store. */
  private String there(String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.addAll(List.of("--data", directory.resolve("other").toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.run(
            CommandDescriptor.all(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    assertThat(exitCode).as(err.toString()).isZero();
    return out.toString().trim();
  }

  private String other() {
    return directory.resolve("other").toString();
  }

  private String row(String id, int age) throws IOException {
    return file("row-" + id + ".jsonl", "{\"id\":\"" + id + "\",\"age\":" + age + "}\n");
  }

  @Test
  void remotesAreNamedListedAndForgotten() {
    assertThat(done("remote", "list")).contains("no remotes");
    assertThat(done("remote", "add", "origin", other())).isEqualTo("origin is " + other());
    assertThat(done("remote", "list").lines().toList().get(1)).contains("origin", other(), "-");
    assertThat(done("remote", "list", "--json"))
        .isEqualTo("[{\"name\":\"origin\",\"location\":\"" + other() + "\",\"upstreams\":[]}]");
    failed(6, "remove it first", "remote", "add", "origin", "s3://elsewhere");
    failed(2, "can't be the name of a remote", "remote", "add", "../x", "s3://elsewhere");
    failed(2, "credentials come from the environment", "remote", "add", "x", "https://u:p@h/");
    assertThat(plain("remote").err()).contains("say what to do: add, remove or list");
    assertThat(done("remote", "remove", "origin")).isEqualTo("forgot origin");
    failed(1, "no remote origin", "remote", "remove", "origin");
    failed(1, "no remote origin", "fetch", "origin");
    failed(7, "no remotes", "fetch");
  }

  @Test
  void aRemoteThatIsGoneIsUnavailable() throws IOException {
    crm();
    done("remote", "add", "origin", other());
    failed(5, "there is no store in", "fetch");
    failed(5, "there is no store in", "clone", directory.resolve("typo").toString(), "crm", "copy");
    done("push", "crm", "--remote", "origin");
    Files.move(directory.resolve("other"), directory.resolve("away"));
    failed(5, "mount or restore it", "fetch");
    failed(5, "mount or restore it", "push", "crm", "--remote", "origin");
    failed(5, "mount or restore it", "pull", "crm", "--remote", "origin");
    Files.move(directory.resolve("away"), directory.resolve("other"));
    assertThat(done("fetch")).contains("crm:main", "unchanged");
  }

  @Test
  void aLedgerIsPushedAndPulled() throws IOException {
    crm();
    done("remote", "add", "origin", other());
    failed(2, "has no upstream; say --remote NAME", "push", "crm");

    assertThat(done("push", "crm", "--remote", "origin", "--set-upstream"))
        .matches("made crm:main on origin at 1 \\(1 commit, \\d.* sent\\)");
    assertThat(done("push", "crm")).isEqualTo("crm:main and crm:main on origin: up to date, at 1");
    age("c1", 31);
    assertThat(done("push", "crm")).startsWith("crm:main on origin: 1 -> 2 (1 commit, ");
    assertThat(
            there(
                "query",
                "crm",
                "Customer",
                "--where",
                "age > 30",
                "--cache",
                directory.resolve("cache").toString()))
        .contains("c1", "31");
    assertThat(there("index", "verify", "crm")).contains("2");
    there("commit", "crm", row("c7", 7), "--type", "Customer");
    assertThat(done("push", "crm"))
        .isEqualTo("crm:main and crm:main on origin: nothing to push, 2 here, 3 there");
    assertThat(done("fetch")).contains("crm:main", "3", "unchanged");
    assertThat(done("pull", "crm", "--json"))
        .contains("\"outcome\":\"fast_forwarded\"", "\"commits\":1", "\"local\":\"crm:main\"");
    assertThat(done("log", "crm").lines()).hasSize(4);
    assertThat(done("remote", "list")).contains("crm:main");
  }

  @Test
  void aCloneFollowsWhatItWasMadeOf() throws IOException {
    crm();
    there("clone", directory.resolve("data").toString(), "crm", "copy");
    age("c1", 31);

    assertThat(there("pull", "copy")).startsWith("copy:main: 1 -> 2");
    assertThat(there("fetch")).contains("origin  crm:main  2");
    assertThat(there("export", "copy", "--output", directory.resolve("out").toString()))
        .contains("4 rows");
    assertThat(Files.readString(directory.resolve("out/Customer.jsonl"))).contains("\"age\":31");
    failed(1, "there is no crn:main in", "clone", other(), "crn");
  }

  @Test
  void whatHasDivergedIsToldWithWhatToDo() throws IOException {
    crm();
    done("remote", "add", "origin", other());
    done("push", "crm", "--remote", "origin", "--set-upstream");
    age("c1", 31);
    there("commit", "crm", row("c8", 8), "--type", "Customer");
    there("commit", "crm", row("c9", 9), "--type", "Customer");

    Outcome told = run("push", "crm");
    assertThat(told.exitCode()).isEqualTo(6);
    assertThat(told.out())
        .startsWith(
            "crm:main and crm:main on origin have diverged: 2 here, 3 there, 1 is the last that"
                + " both have")
        .contains("  common  b");
    List<String> remedy =
        told.out().lines().filter(line -> line.startsWith("  tidemark ")).toList();
    assertThat(remedy).hasSize(3);
    for (String line : remedy) {
      done(line.strip().substring("tidemark ".length()).split(" "));
    }
    assertThat(there("log", "crm").lines()).hasSize(5);
    Outcome again = run("pull", "crm", "--json");
    assertThat(again.exitCode()).isEqualTo(6);
    assertThat(again.out()).contains("\"outcome\":\"diverged\"", "\"common\":{\"id\":\"b");
  }

  @Test
  void longCopyingIsTold() throws IOException {
    crm();
    age("c1", 31);
    done("remote", "add", "origin", other());

    Outcome told = watched("push", "crm", "--remote", "origin");

    assertThat(told.exitCode()).isZero();
    assertThat(told.err()).contains("copying [").contains("of 2 commits");
  }
}
