// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.features.CommitOutcomeUnknownException;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Version;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.process.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class TidemarkCommandTest {

  private final List<String> loaded = new ArrayList<>();
  private final List<CommandDescriptor> verbs =
      List.of(
          new CommandDescriptor(
              CommandDescriptor.Group.OTHERS, "help", "Summary of help", () -> new HelpCommand()),
          verb("copy", new Copy()),
          verb("compact", new Fails(new StoreUnavailableException("can't reach the store"))),
          verb("crash", new Fails(new IllegalStateException("the impossible"))),
          verb("spill", new Fails(new UncheckedIOException("no room", new IOException("full")))),
          verb("overflow", new Fails(new StackOverflowError())));

  @Test
  void versionNamesTheBuildAndTheJava() {
    Outcome outcome = run("--version");

    assertThat(outcome.out())
        .matches("tidemark \\d+\\.\\d+\\.\\d+\\S*\\RJava " + Runtime.version().feature() + ".*\\R");
    assertThat(outcome).isEqualTo(new Outcome(0, outcome.out(), ""));
  }

  @Test
  void theVersionAloneIsPrintedWithoutPicocliInTheSameWords() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      assertThat(Version.print()).isZero();
    } finally {
      System.setOut(before);
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo(run("--version").out());
    assertThat(Version.isOnlyRequest("-V")).isTrue();
    assertThat(Version.isOnlyRequest("--version")).isTrue();
    assertThat(Version.isOnlyRequest("--version", "--debug")).isFalse();
    assertThat(Version.isOnlyRequest()).isFalse();
  }

  @Test
  void helpListsEveryVerbWithoutLoadingAny() {
    Outcome outcome = run("--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .contains("Usage: tidemark", "  help  ", "  copy  ", "Summary of copy", "Examples:");
    assertThat(loaded).isEmpty();
  }

  @Test
  void helpIsAlsoAVerb() {
    assertThat(run("help")).isEqualTo(run("--help"));
    assertThat(run("help", "copy")).isEqualTo(run("copy", "--help"));
    assertThat(run("help", "copy").out())
        .contains("Usage: tidemark copy", "Summary of copy.", "--times", "--debug");
  }

  @Test
  void helpOnAnUnknownVerbIsMisuse() {
    assertThat(run("help", "coppy"))
        .isEqualTo(
            misuse("there is no verb 'coppy'; did you mean 'copy'?", "See 'tidemark --help'."));
  }

  @Test
  void onlyTheVerbThatIsUsedIsLoaded() {
    assertThat(run("copy", "--times", "2")).isEqualTo(new Outcome(0, "", ""));
    assertThat(loaded).containsExactly("copy");
  }

  @Test
  void theExitCodeOfAVerbIsTheExitCodeOfTheCommand() {
    assertThat(run("copy", "--times", "7").exitCode()).isEqualTo(1);
  }

  @Test
  void noVerbIsMisuse() {
    assertThat(run()).isEqualTo(misuse("a verb is missing", "See 'tidemark --help'."));
  }

  @Test
  void anUnknownVerbSuggestsTheNearest() {
    assertThat(run("cpoy"))
        .isEqualTo(
            misuse("there is no verb 'cpoy'; did you mean 'copy'?", "See 'tidemark --help'."));
    assertThat(run("dance"))
        .isEqualTo(misuse("there is no verb 'dance'", "See 'tidemark --help'."));
  }

  @Test
  void anUnknownWordBeforeAVerbIsMisuse() {
    assertThat(run("please", "help"))
        .isEqualTo(misuse("there is no verb 'please'", "See 'tidemark --help'."));
  }

  @Test
  void anUnknownOptionSuggestsTheNearest() {
    assertThat(run("--vesion"))
        .isEqualTo(
            misuse(
                "there is no option '--vesion'; did you mean '--version'?",
                "See 'tidemark --help'."));
    assertThat(run("copy", "--time=2"))
        .isEqualTo(
            misuse(
                "there is no option '--time=2'; did you mean '--times'?",
                "See 'tidemark copy --help'."));
  }

  @Test
  void anArgumentTooManyIsMisuse() {
    assertThat(run("copy", "all"))
        .isEqualTo(misuse("'all' is one argument too many", "See 'tidemark copy --help'."));
  }

  @Test
  void anExpectedFailureIsItsMessageAlone() {
    assertThat(run("compact"))
        .isEqualTo(new Outcome(5, "", lines("tidemark: can't reach the store")));
  }

  @Test
  void debugAddsTheStackTrace() {
    for (Outcome outcome : List.of(run("--debug", "compact"), run("compact", "--debug"))) {
      assertThat(outcome.exitCode()).isEqualTo(5);
      assertThat(outcome.err())
          .startsWith(lines("tidemark: can't reach the store"))
          .contains(StoreUnavailableException.class.getName(), "\tat ");
    }
  }

  @Test
  void anUnexpectedFailureIsCalledABug() {
    assertThat(run("crash"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                lines(
                    "tidemark: java.lang.IllegalStateException: the impossible",
                    "This is a bug in Tidemark. Please report it;"
                        + " run it again with --debug for the trace.")));
    assertThat(run("--debug", "crash").err()).contains("report it, with the trace:", "\tat ");
  }

  @Test
  void aDiskThatIsFullIsNoBug() {
    assertThat(run("spill"))
        .isEqualTo(new Outcome(5, "", lines("tidemark: no room: java.io.IOException: full")));
  }

  @Test
  void whoAsksForJsonIsToldWhatWentWrongInJson() {
    assertThat(run("compact", "--json"))
        .isEqualTo(
            new Outcome(
                5, "", lines("{\"code\":\"unavailable\",\"message\":\"can't reach the store\"}")));
    assertThat(run("spill", "--json").err())
        .startsWith("{\"code\":\"storage-failure\",\"message\":\"no room: ");
    assertThat(run("crash", "--json").err().lines())
        .containsExactly(
            "{\"code\":\"bug\",\"message\":"
                + "\"java.lang.IllegalStateException: the impossible\"}");
    assertThat(run("cpoy", "--json"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                lines(
                    "{\"code\":\"usage\",\"message\":"
                        + "\"there is no verb 'cpoy'; did you mean 'copy'?\"}")));
  }

  /** Fails while the process ends, as whoever has lost its threads and files does. */
  static final class Ended {
    private Ended() {}

    public static void main(String[] arguments) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
                    CommandErrorHandler commandErrorHandler =
                        new CommandErrorHandler(out, List.of(), Set.of());
                    int unused =
                        commandErrorHandler.failure(new RejectedExecutionException("no threads"));
                    System.out.println("told");
                  }));
    }
  }

  @Test
  void aCommitThatNobodyKnowsOfIsToldWithWhatToAskBy() {
    StringWriter err = new StringWriter();
    CommandErrorHandler commandErrorHandler =
        new CommandErrorHandler(
            new PrintWriter(err, true), List.of(), Set.of(CommandErrorHandler.ErrorDetail.JSON));
    Throwable lost =
        new CommitOutcomeUnknownException("who knows", "17", "now", new IOException("gone"));

    assertThat(commandErrorHandler.failure(lost)).isEqualTo(ExitCodes.STORAGE);

    assertThat(err)
        .hasToString(
            lines(
                "{\"code\":\"outcome-unknown\",\"message\":\"who knows\",\"began\":\"now\","
                    + "\"transaction\":\"17\"}"));
  }

  @Test
  void whatFailsBecauseTheProcessEndsIsNoBug() throws IOException {
    try (ChildJvm child = ChildJvm.start(Ended.class)) {
      assertThat(child.nextLine()).contains("tidemark: interrupted");
      assertThat(child.nextLine()).contains("told");
    }
  }

  @Test
  void anErrorOfTheJvmIsReportedToo() {
    Outcome outcome = run("overflow");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith(lines("tidemark: java.lang.StackOverflowError"))
        .doesNotContain("\tat ");
  }

  @Test
  void everyVerbOfTheProductLoads() {
    for (CommandDescriptor commandDescriptor : CommandDescriptor.all()) {
      assertThat(commandDescriptor.load().name()).isEqualTo(commandDescriptor.name());
      assertThat(commandDescriptor.summary()).isNotBlank().doesNotEndWith(".");
    }
  }

  private Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = TidemarkCommand.run(verbs, new PrintWriter(out), new PrintWriter(err), args);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private CommandDescriptor verb(String name, Object command) {
    return new CommandDescriptor(
        CommandDescriptor.Group.NAMES,
        name,
        "Summary of " + name,
        () -> {
          loaded.add(name);
          return command;
        });
  }

  private static Outcome misuse(String problem, String remedy) {
    return new Outcome(2, "", lines("tidemark: " + problem, remedy));
  }

  private static String lines(String... lines) {
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  private record Outcome(int exitCode, String out, String err) {}

  @Command
  private static final class Copy implements Callable<Integer> {
    @Option(names = "--times", description = "How often.")
    private int times;

    @Override
    public Integer call() {
      return times == 7 ? 1 : 0;
    }
  }

  @Command
  private static final class Fails implements Runnable {
    private final Throwable failure;

    @SuppressWarnings("UnusedVariable") // those who tell of failures look for the word itself
    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    Fails(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public void run() {
      if (failure instanceof Error e) {
        throw e;
      }
      throw (RuntimeException) failure;
    }
  }
}
