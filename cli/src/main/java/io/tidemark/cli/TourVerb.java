// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark tour}. */
@Command(
    description =
        "Walks through the first things one does: makes a ledger, commits, asks about now and"
            + " about then, compares, branches, watches. Each command is printed before it runs,"
            + " on a store of its own that is gone afterwards.",
    footer = {
      "",
      "Examples:",
      "  tidemark tour",
      "  tidemark tour --keep       The store stays, to go on with"
    })
final class TourVerb implements Callable<Integer> {

  private static final String SCHEMA =
      "{\"entity\":\"Customer\",\"key\":\"id\",\"fields\":"
          + "{\"id\":\"string\",\"name\":\"string\",\"age\":\"long\"}}";

  /**
   * A step.
   *
   * @param why what it is about, said before it
   * @param words the command, without where the data is
   */
  private record Step(String why, List<String> words) {
    Step(String why, String... words) {
      this(why, List.of(words));
    }
  }

  private static final List<Step> STEPS =
      List.of(
          new Step("A ledger is a name with a history.", "ledger", "init", "crm"),
          new Step(
              "You say what should be true; the difference becomes a commit.",
              "commit",
              "crm",
              "day1.jsonl",
              "--type",
              "Customer",
              "--schema",
              "schema.json"),
          new Step(
              "The next day Ann is a year older, and Bob has come.",
              "commit",
              "crm",
              "day2.jsonl",
              "--type",
              "Customer"),
          new Step("What is so now?", "query", "crm", "Customer", "--order", "@key"),
          new Step("What did we know at commit 1?", "query", "crm", "Customer", "--as-of", "1"),
          new Step(
              "And in SQL:",
              "sql",
              "crm",
              "SELECT count(*) AS n, max(age) AS oldest FROM Customer"),
          new Step("What has changed between the two?", "diff", "crm", "1..2"),
          new Step(
              "A branch is a second head; nothing is copied.", "branch", "create", "crm", "dev"),
          new Step(
              "What is committed there, main doesn't see ...",
              "commit",
              "crm:dev",
              "day3.jsonl",
              "--type",
              "Customer"),
          new Step("... until it takes it in.", "merge", "crm", "dev"),
          new Step("Every commit stays.", "log", "crm"),
          new Step(
              "Whoever wants to know what moves watches.",
              "watch",
              "--from",
              "start",
              "--count",
              "2"));

  @Spec private CommandSpec spec;

  @Option(names = "--keep", description = "Leave the store, and say where it is.")
  private boolean keep;

  @Override
  public Integer call() throws IOException {
    Path directory = Files.createTempDirectory("tidemark-tour-");
    Thread cleaning = new Thread(() -> remove(directory), "tidemark-tour");
    if (!keep) {
      Runtime.getRuntime().addShutdownHook(cleaning); // on Ctrl-C too
    }
    write(directory, "schema.json", SCHEMA);
    write(directory, "day1.jsonl", "{\"id\":\"c1\",\"name\":\"Ann\",\"age\":30}");
    write(
        directory,
        "day2.jsonl",
        "{\"id\":\"c1\",\"name\":\"Ann\",\"age\":31}\n{\"id\":\"c2\",\"name\":\"Bob\",\"age\":44}");
    write(directory, "day3.jsonl", "{\"id\":\"c3\",\"name\":\"Cid\",\"age\":19}");
    int code = walk(directory);
    PrintWriter out = spec.commandLine().getOut();
    out.println();
    out.println(
        keep
            ? "The store is in " + directory.resolve("data") + "."
            : "That was the tour. 'tidemark --help' lists all verbs, 'tidemark serve' runs a server.");
    return code;
  }

  private int walk(Path directory) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    for (Step step : STEPS) {
      out.println();
      out.println("# " + step.why());
      out.println(
          "$ tidemark " + String.join(" ", step.words().stream().map(TourVerb::quoted).toList()));
      out.flush();
      List<String> words = new ArrayList<>(step.words());
      words.replaceAll(
          word ->
              Files.exists(directory.resolve(word)) ? directory.resolve(word).toString() : word);
      words.addAll(List.of("--data", directory.resolve("data").toString()));
      int code = Tidemark.run(Verb.all(), out, err, words.toArray(String[]::new));
      if (code != ExitCodes.OK) {
        return code;
      }
    }
    return ExitCodes.OK;
  }

  /** As a shell would have to be told it. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9@:._/,=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static void write(Path directory, String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text + "\n");
  }

  private static void remove(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
