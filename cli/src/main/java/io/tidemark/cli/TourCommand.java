// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.terminal.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark tour}. */
@Command(
    description =
        "Walks through the first things one does: makes a ledger, commits, asks about now and about"
            + " then, compares, branches, merges, watches. Each command is printed before it runs,"
            + " on a store of its own that is gone afterwards.",
    footer = {
      "",
      "Examples:",
      "  tidemark tour",
      "  tidemark tour --keep       The store stays, to go on with"
    })
final class TourCommand implements Callable<Integer> {

  /** Initial files that the commands of the tour read and write beside the store. */
  private static final Map<String, List<String>> FILES =
      Map.of(
          "schema.json",
          List.of(
              "{\"entity\": \"Customer\", \"key\": \"id\",",
              " \"fields\": {\"id\": \"string\", \"name\": \"string\", \"age\": \"long\"}}"),
          "day1.jsonl",
          List.of("{\"id\":\"c1\",\"name\":\"Ann\",\"age\":30}"),
          "day2.jsonl",
          List.of(
              "{\"id\":\"c1\",\"name\":\"Ann\",\"age\":31}",
              "{\"id\":\"c2\",\"name\":\"Bob\",\"age\":44}"),
          "day3.jsonl",
          List.of("{\"id\":\"c3\",\"name\":\"Cid\",\"age\":19}"));

  /** File of the checkpoint of the watch. */
  private static final String SEEN = "seen.json";

  private static final String DATA = "data";
  private static final String SHOW = "cat";

  /**
   * Step of the tour.
   *
   * @param why explanation printed before the command
   * @param line command line
   */
  private record Step(String why, String line) {

    /** Returns the words of the line; a quoted text is one word. */
    List<String> words() {
      return WORD.matcher(line)
          .results()
          .map(word -> word.group(1) == null ? word.group() : word.group(1))
          .toList();
    }
  }

  private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

  private static final List<Step> STEPS =
      List.of(
          new Step("A ledger is a name with a history.", "tidemark ledger init crm"),
          new Step("It has rows of types, such as this one.", "cat schema.json"),
          new Step("On the first day we know of one customer.", "cat day1.jsonl"),
          new Step(
              "You say what should be true; the difference becomes a commit.",
              "tidemark commit crm day1.jsonl --type Customer --schema schema.json"),
          new Step("The next day Ann is a year older, and Bob has come.", "cat day2.jsonl"),
          new Step(
              "So there is a difference again.", "tidemark commit crm day2.jsonl --type Customer"),
          new Step("What is so now?", "tidemark query crm Customer --order @key"),
          new Step("What did we know at commit 1?", "tidemark query crm Customer --as-of 1"),
          new Step(
              "And in SQL:",
              "tidemark sql crm 'SELECT count(*) AS n, max(age) AS oldest FROM Customer'"),
          new Step("What has changed between the two?", "tidemark diff crm 1..2"),
          new Step(
              "A branch is a second head; nothing is copied.", "tidemark branch create crm dev"),
          new Step(
              "Whoever wants to know what moves watches. This one first hears what there is.",
              "tidemark watch --concern head --from start --cursor seen.json --count 2"),
          new Step("On the third day somebody tries something ...", "cat day3.jsonl"),
          new Step("... on the branch.", "tidemark commit crm:dev day3.jsonl --type Customer"),
          new Step("Main doesn't see it ...", "tidemark query crm Customer --order @key"),
          new Step("... until it takes it in.", "tidemark merge crm dev --apply"),
          new Step("Now it does.", "tidemark query crm Customer --order @key"),
          new Step(
              "The watch goes on where it ended: both heads have moved.",
              "tidemark watch --concern head --cursor seen.json --count 2"),
          new Step("Every commit stays.", "tidemark log crm"));

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
    for (Map.Entry<String, List<String>> file : FILES.entrySet()) {
      Files.write(directory.resolve(file.getKey()), file.getValue());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "# All of this happens in a directory of its own"
            + (keep ? "." : ", which is gone afterwards; --keep leaves it to go on with."));
    out.println("$ cd " + directory);
    out.println("$ export TIDEMARK_DATA=" + directory.resolve(DATA));
    int code = walk(directory);
    out.println();
    out.println(
        "That was the tour. 'tidemark --help' lists all verbs, 'tidemark serve' runs a server.");
    if (keep) {
      out.println(
          "The store stays in %1$s; go on with 'export TIDEMARK_DATA=%1$s', and throw it away with 'rm -r %2$s'."
              .formatted(directory.resolve(DATA), directory));
    }
    return code;
  }

  private int walk(Path directory) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    for (Step step : STEPS) {
      out.println();
      out.println("# " + step.why());
      out.println("$ " + step.line());
      out.flush();
      List<String> words = new ArrayList<>(step.words());
      String program = words.remove(0);
      words.replaceAll(word -> isFile(word) ? directory.resolve(word).toString() : word);
      if (program.equals(SHOW)) {
        Files.readAllLines(Path.of(words.get(0))).forEach(out::println);
        continue;
      }
      words.addAll(List.of("--data", directory.resolve(DATA).toString()));
      int code =
          TidemarkCommand.run(CommandDescriptor.all(), out, err, words.toArray(String[]::new));
      if (code != ExitCodes.OK) {
        return code;
      }
    }
    return ExitCodes.OK;
  }

  private static boolean isFile(String word) {
    return FILES.containsKey(word) || word.equals(SEEN);
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
