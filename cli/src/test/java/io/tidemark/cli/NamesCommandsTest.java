// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs on names, each run as a command of its own on a directory. */
class NamesCommandsTest {

  private record Outcome(int exitCode, String out, String err) {}

  @TempDir private Path data;

  private Outcome run(String... words) {
    return runAt(data.toString(), words);
  }

  private static Outcome runAt(String location, String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.add("--data");
    arguments.add(location);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.run(
            CommandDescriptor.all(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private String done(String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome.out();
  }

  @Test
  void aLedgerIsCreatedShownAndListed() {
    assertThat(done("create", "mydb"))
        .contains("address  mydb:main")
        .contains("head     unborn")
        .contains("status   1 {\"state\":\"ready\"}");
    assertThat(done("show", "mydb:main")).isEqualTo(done("show", "mydb"));
    assertThat(done("list"))
        .isEqualToNormalizingNewlines(
            "ADDRESS    KIND    STATE  HEAD    INDEX\nmydb:main  ledger  ready  unborn  unborn\n");
    assertThat(done("list", "other")).isEqualToNormalizingNewlines("no records\n");
    assertThat(done("list", "--json"))
        .startsWith("[{\"address\":\"mydb:main\",\"name\":\"mydb\",\"branch\":\"main\"")
        .contains("\"head\":{\"watermark\":0,\"payload\":null}");
  }

  @Test
  void aSecondCreationIsAConflict() {
    done("create", "mydb");
    Outcome again = run("create", "mydb");
    assertThat(again.exitCode()).isEqualTo(6);
    assertThat(again.err()).startsWith("tidemark: mydb:main exists already, as a ledger");
  }

  @Test
  void aConflictShowsExpectedAndActualSideBySide() {
    done("create", "mydb");
    String commit = "{\"id\":\"c1\",\"t\":1}";
    assertThat(done("concern", "push", "mydb", "head", "1", commit, "--expect", "0"))
        .isEqualToNormalizingNewlines("1 " + commit + "\n");
    Outcome conflict = run("concern", "push", "mydb", "head", "1", commit, "--expect", "0");
    assertThat(conflict.exitCode()).isEqualTo(6);
    assertThat(conflict.out())
        .isEqualToNormalizingNewlines(
            """
            conflict: the head of mydb:main has not moved
              expected  unborn
              actual    1 {"id":"c1","t":1}
            """);
    assertThat(run("concern", "advance", "mydb", "head", "1", commit).exitCode()).isEqualTo(6);
    assertThat(done("concern", "get", "mydb", "head", "--json"))
        .isEqualToNormalizingNewlines("{\"watermark\":1,\"payload\":{\"id\":\"c1\",\"t\":1}}\n");
  }

  @Test
  void whatIsntThereEndsWithOneAndWhatIsWrongWithTwo() {
    assertThat(run("show", "nope").exitCode()).isEqualTo(1);
    assertThat(run("show", "nope").err()).contains("there is no nope:main");
    assertThat(run("show", "a:b:c").exitCode()).isEqualTo(2);
    assertThat(run("create", "../x").err()).contains("\"../x\"");
    assertThat(run("concern", "push", "mydb", "config", "1", "[]").exitCode()).isEqualTo(2);
  }

  @Test
  void aRecordIsRetractedRestoredAndPurgedOnlyWhenTold() {
    done("create", "mydb");
    assertThat(done("retract", "mydb")).contains("retracted  yes");
    Outcome push = run("concern", "advance", "mydb", "head", "1", "{\"id\":\"c1\",\"t\":1}");
    assertThat(push.exitCode()).isEqualTo(7);
    assertThat(push.err()).contains("mydb:main is retracted; restore it");
    assertThat(done("restore", "mydb")).doesNotContain("retracted");
    Outcome purge = run("purge", "mydb");
    assertThat(purge.exitCode()).isEqualTo(7);
    assertThat(purge.err()).contains("say --yes");
    assertThat(done("purge", "mydb", "--yes")).isEqualToNormalizingNewlines("purged mydb:main\n");
    assertThat(run("show", "mydb").exitCode()).isEqualTo(1);
  }

  @Test
  void branchesAreMadeListedAndDropped() {
    done("create", "mydb");
    assertThat(run("branch", "create", "mydb", "dev").exitCode())
        .as("there is no commit to branch from")
        .isEqualTo(7);
    done("concern", "advance", "mydb", "head", "5", "{\"id\":\"c5\",\"t\":5}");
    assertThat(done("branch", "create", "mydb", "dev")).contains("branched from  main");
    assertThat(done("branch", "list", "mydb").lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("mydb:dev"));
    assertThat(run("branch", "list", "nope").exitCode()).isEqualTo(1);
    assertThat(run("branch", "list", "nope").err()).startsWith("tidemark: there is no nope; ");
    assertThat(run("branch", "drop", "mydb:main").exitCode()).isEqualTo(7);
    assertThat(done("branch", "drop", "mydb:dev")).isEqualToNormalizingNewlines("mydb:dev: gone\n");
  }

  @Test
  void locksAreTakenRefreshedAndGivenBack() {
    done("create", "mydb");
    assertThat(done("lock", "acquire", "mydb", "index", "--holder", "a"))
        .startsWith("acquired: epoch 1 of a, until ");
    Outcome held = run("lock", "acquire", "mydb", "index", "--holder", "b");
    assertThat(held.exitCode()).isEqualTo(6);
    assertThat(held.out()).startsWith("held: epoch 1 of a, until ");
    assertThat(done("lock", "refresh", "mydb", "index", "--epoch", "1", "--progress", "0.5"))
        .startsWith("refreshed: epoch 1");
    assertThat(run("lock", "release", "mydb", "index", "--epoch", "9").exitCode()).isEqualTo(6);
    assertThat(done("lock", "release", "mydb", "index", "--epoch", "1"))
        .isEqualToNormalizingNewlines("released\n");
    assertThat(done("lock", "show", "mydb", "index")).isEqualToNormalizingNewlines("free\n");
  }

  @Test
  void graphSourcesAreMadeAndListed() {
    String config = "{\"k1\":1.2,\"b\":0.75}";
    assertThat(done("source", "create", "search", "fidx:BM25", config, "--from", "mydb:main"))
        .contains("graph_source f:Bm25Index")
        .contains("made from  mydb:main")
        .contains("config     1 " + config);
    assertThat(done("source", "list").lines()).hasSize(2);
    assertThat(run("create", "search").exitCode()).isEqualTo(6);
  }

  @Test
  void aWatchPrintsWhatIsThereAndGoesOnFromItsCursor() {
    done("create", "mydb");
    String cursor = data.resolveSibling("cursor-" + data.getFileName() + ".json").toString();
    assertThat(done("watch", "--from", "start", "--count", "1", "--cursor", cursor))
        .isEqualToNormalizingNewlines(
            "appeared    mydb:main  head 0, index 0, status 1, config 0\n");
    done("concern", "push", "mydb", "head", "1", "{\"id\":\"c1\",\"t\":1}", "--expect", "0");
    done("retract", "mydb");
    done("create", "other");
    assertThat(done("watch", "--count", "2", "--cursor", cursor))
        .isEqualToNormalizingNewlines(
            """
            retracted   mydb:main  head 0 -> 1, status 1 -> 2
            appeared    other:main  head 0, index 0, status 1, config 0
            """);
    assertThat(done("watch", "mydb", "--from", "start", "--count", "1"))
        .isEqualToNormalizingNewlines(
            "appeared    mydb:main  head 1, index 0, status 2, config 0, retracted\n");
    done("purge", "other", "--yes");
    assertThat(done("watch", "--count", "1", "--cursor", cursor, "--json"))
        .startsWith("{\"type\":\"purged\",\"address\":\"other:main\",\"moved\":[],\"before\":{")
        .contains("\"kind\":\"ledger\",\"commit_t\":0,")
        .endsWith("\"now\":null}" + System.lineSeparator());
    assertThat(done("watch", "--for", "0.05", "--cursor", cursor)).isEmpty();
  }

  @Test
  void aWatchTellsWhatAnotherProcessDoes() throws InterruptedException {
    done("create", "mydb");
    CountDownLatch told = new CountDownLatch(1);
    Thread pushing =
        new Thread(
            () -> {
              // Until the watch, whenever it began, has told of one.
              for (int t = 1; told.getCount() > 0; t++) {
                String commit = "{\"id\":\"c\",\"t\":" + t + "}";
                run("concern", "advance", "mydb", "head", t + "", commit);
              }
            });
    pushing.start();
    String line = done("watch", "mydb", "--concern", "head", "--count", "1", "--interval", "0.05");
    told.countDown();
    pushing.join();
    assertThat(line).matches("moved       mydb:main  head \\d+ -> \\d+\\R");
  }

  @Test
  void aWatchRefusesWhatItCannotDo() {
    assertThat(run("watch", "--interval", "0").exitCode()).isEqualTo(2);
    assertThat(run("watch", "a:b:c").exitCode()).isEqualTo(2);
    Outcome noDirectory = run("watch", "--cursor", data.resolve("no/such/file").toString());
    assertThat(noDirectory.exitCode()).isEqualTo(7);
    assertThat(noDirectory.err()).startsWith("tidemark: can't write ").contains("--cursor");
  }

  @Test
  void theDataMayBeWhereAConnectionDocumentSays() throws IOException {
    Path document =
        Files.writeString(
            data.resolve("connection.json"),
            """
            {"@context": {"@vocab": "https://ns.flur.ee/system#"}, "@graph": [
              {"@id": "s", "@type": "Storage", "filePath": "%s"},
              {"@id": "c", "@type": "Connection", "indexStorage": {"@id": "s"}}]}
            """
                .formatted(data.resolve("there")));
    assertThat(runAt(document.toString(), "create", "mydb").exitCode()).isZero();
    assertThat(runAt(data.resolve("there").toString(), "show", "mydb").out())
        .isEqualTo(runAt(document.toString(), "show", "mydb").out())
        .contains("address  mydb:main");

    Files.writeString(document, "{\"@graph\": []}");
    assertThat(runAt(document.toString(), "list"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "tidemark: "
                    + document
                    + ": the connection document has no node of the type Connection; it needs"
                    + " exactly one\n"));
  }

  private void assertMisuse(String message, String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).contains(message).doesNotContain("bug");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void whatCannotBeMeantIsMisuseAndChangesNothing() {
    done("create", "mydb");
    done("concern", "advance", "mydb", "head", "5", "{\"id\":\"c5\",\"t\":5}");
    String before = done("list", "--json");
    assertMisuse("--limit", "list", "--limit", "-1");
    assertMisuse("both --at-id", "branch", "create", "mydb", "dev", "--at-t", "3");
    assertMisuse("both --at-id", "branch", "create", "mydb", "dev", "--at-id", "c3");
    assertMisuse(
        "needs --expect", "concern", "push", "mydb", "config", "1", "--expect-payload", "{}");
    assertMisuse(
        "a year at most",
        "lock",
        "acquire",
        "mydb",
        "index",
        "--holder",
        "a",
        "--lease",
        "99999999999");
    assertMisuse("needs a holder", "lock", "acquire", "mydb", "index", "--holder", "");
    assertThat(done("list", "--json")).isEqualTo(before);
  }

  @Test
  void anAdvanceThatIsNotForwardSaysWhatWasExpected() {
    done("create", "mydb");
    done("concern", "advance", "mydb", "head", "5", "{\"id\":\"c5\",\"t\":5}");
    String[] words = {"concern", "advance", "mydb", "head", "3", "{\"id\":\"c3\",\"t\":3}"};
    assertThat(run(words).out())
        .isEqualToNormalizingNewlines(
            """
            conflict: the head of mydb:main has not moved
              expected  below 3
              actual    5 {"id":"c5","t":5}
            """);
    Outcome same =
        run("concern", "push", "mydb", "status", "1", "{\"state\":\"x\"}", "--expect", "1");
    assertThat(same.exitCode()).isEqualTo(6);
    assertThat(same.out()).contains("  next      1 {\"state\":\"x\"}, which isn't ahead of that");
  }

  @Test
  void aLockOfAnotherProgramMayExpireWhenNoCalendarGoes() {
    done("create", "mydb");
    String status =
        "{\"state\":\"indexing\",\"index_lock\":{\"holder\":\"x\",\"expires_at\":4e18}}";
    done("concern", "push", "mydb", "status", "2", status, "--expect", "1");
    assertThat(done("lock", "show", "mydb", "index"))
        .startsWith("locked: epoch 0 of x, until 4000000000000000000 s since 1970");
  }

  @Test
  void aCursorThatCannotBeReadIsNamed() throws IOException {
    Outcome directory = run("watch", "--cursor", data.toString());
    assertThat(directory.exitCode()).isEqualTo(7);
    assertThat(directory.err()).startsWith("tidemark: can't read " + data);
    Path wrong = Files.writeString(data.resolve("c.json"), "{\"subscriptions\":{\"a:b:c\":{}}}");
    assertThat(run("watch", "--cursor", wrong.toString()).err())
        .startsWith("tidemark: can't go on from " + wrong)
        .contains("remove it to begin anew");
  }

  @Test
  void aPushThatNamesAnEpochThatIsOverIsRefused() {
    done("create", "mydb");
    done("lock", "acquire", "mydb", "index", "--holder", "first", "--lease", "1");
    String index = "{\"default\":{\"id\":\"i1\",\"t\":1}}";
    Outcome older =
        run(
            "concern",
            "push",
            "mydb",
            "index",
            "1",
            index,
            "--expect",
            "0",
            "--lock",
            "index",
            "--epoch",
            "0");
    assertThat(older.exitCode()).isEqualTo(7);
    assertThat(older.err())
        .startsWith(
            "tidemark: the index_lock of mydb:main with epoch 0 was lost; the last epoch is 1 of"
                + " first: drop the work");
    done(
        "concern",
        "push",
        "mydb",
        "index",
        "1",
        index,
        "--expect",
        "0",
        "--lock",
        "index",
        "--epoch",
        "1");
    assertThat(run("concern", "push", "mydb", "index", "2", index, "--epoch", "1").exitCode())
        .isEqualTo(2);
  }
}
