// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.features.CommitOutcomeUnknownException;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.objects.TidemarkException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Handler of errors: reports them on standard error, without colours, and chooses the exit code.
 *
 * @param err where errors are reported
 * @param verbs verbs to suggest for a misspelt one
 * @param wishes details to report
 */
record CommandErrorHandler(PrintWriter err, List<CommandDescriptor> verbs, Set<ErrorDetail> wishes)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {

  /** Details of an error beyond the message, requested by options. */
  enum ErrorDetail {
    /** The stack trace of the error. */
    TRACE,
    /** An object on one line with {@code code} and {@code message}, as all answers are JSON. */
    JSON
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    return usageError(e);
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine verb, ParseResult parsed) {
    return failure(e);
  }

  /** Reports a command line that can't be parsed. */
  int usageError(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String message =
        e instanceof UnmatchedArgumentException u ? unknown(u) : UsageMessages.message(e);
    String see = "See '" + command.getCommandSpec().qualifiedName() + " --help'.";
    report("usage", message, List.of(see));
    err.flush();
    return ExitCodes.USAGE;
  }

  /** Reports the failure of a command. */
  int failure(Throwable e) {
    boolean trace = wishes.contains(ErrorDetail.TRACE);
    if (e instanceof TidemarkException known) {
      report(known.code(), String.valueOf(e.getMessage()), List.of(), identifiers(known));
    } else if (isShuttingDown()) {
      // The shutdown takes threads and files away, so a command may fail in any way.
      report("interrupted", "interrupted", List.of());
    } else if (e instanceof UncheckedIOException io) {
      // From a temporary file; the code that wrote it has no better message.
      report("storage-failure", io.getMessage() + ": " + io.getCause(), List.of());
    } else {
      String report =
          "This is a bug in Tidemark. Please report it"
              + (trace ? ", with the trace:" : "; run it again with --debug for the trace.");
      report("bug", e.toString(), List.of(report));
    }
    if (trace) {
      e.printStackTrace(err);
    }
    err.flush();
    if (e instanceof TidemarkException known) {
      return known.exitCode();
    }
    return e instanceof UncheckedIOException ? ExitCodes.STORAGE : ExitCodes.FAILED;
  }

  /** Returns the identifiers to ask again with, under their names in a server's problem. */
  private static Map<String, String> identifiers(TidemarkException e) {
    return e instanceof CommitOutcomeUnknownException unknown
        ? Map.of("transaction", unknown.transaction(), "began", unknown.began())
        : Map.of();
  }

  private void report(String code, String message, List<String> more) {
    report(code, message, more, Map.of());
  }

  private void report(String code, String message, List<String> more, Map<String, String> members) {
    if (wishes.contains(ErrorDetail.JSON)) {
      ObjectNode problem =
          JsonNodeFactory.instance.objectNode().put("code", code).put("message", message);
      new TreeMap<>(members).forEach(problem::put);
      err.println(TerminalEscaping.escape(problem.toString()));
      return;
    }
    err.println("tidemark: " + TerminalEscaping.escape(message));
    more.forEach(err::println);
  }

  /** Returns whether the JVM is shutting down, as by a signal; only this call tells. */
  private static boolean isShuttingDown() {
    Thread probe = new Thread(() -> {}, "tidemark-probe");
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private String unknown(UnmatchedArgumentException e) {
    CommandLine command = e.getCommandLine();
    String word = e.getUnmatched().get(0);
    if (e.isUnknownOption()) {
      return unknown("option", word, optionNames(command));
    }
    Collection<String> names = verbNames(command);
    return names.isEmpty()
        ? "'" + word + "' is one argument too many"
        : unknown("verb", word, names);
  }

  private Collection<String> verbNames(CommandLine command) {
    boolean root = command.getParent() == null;
    return root
        ? verbs.stream().map(CommandDescriptor::name).toList()
        : command.getSubcommands().keySet();
  }

  private static String unknown(String kind, String word, Collection<String> known) {
    Optional<String> nearest = Spelling.nearest(word, known);
    String guess = nearest.map(n -> "; did you mean '" + n + "'?").orElse("");
    return "there is no " + kind + " '" + word + "'" + guess;
  }

  private static List<String> optionNames(CommandLine command) {
    return command.getCommandSpec().options().stream().map(OptionSpec::longestName).toList();
  }
}
