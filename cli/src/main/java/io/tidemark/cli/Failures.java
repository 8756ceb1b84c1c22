// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.terminal.Plain;
import io.tidemark.objects.TidemarkException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells the user what went wrong, on standard error and without colours, and chooses the exit code.
 *
 * @param err where to tell it
 * @param verbs what the user could have meant
 * @param debug whether stack traces are wanted
 */
record Failures(PrintWriter err, List<Verb> verbs, boolean debug)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    return misuse(e);
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine verb, ParseResult parsed) {
    return failure(e);
  }

  /** The command line wasn't understood. */
  int misuse(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String message = e instanceof UnmatchedArgumentException u ? unknown(u) : Misuse.words(e);
    err.println("tidemark: " + Plain.text(message));
    err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitCodes.USAGE;
  }

  /** The command was understood but couldn't be carried out. */
  int failure(Throwable e) {
    if (e instanceof TidemarkException) {
      err.println("tidemark: " + Plain.text(String.valueOf(e.getMessage())));
    } else if (e instanceof UncheckedIOException io) {
      // Of a temporary file: whoever wrote one has no better idea than its user.
      err.println("tidemark: " + io.getMessage() + ": " + io.getCause());
    } else {
      err.println("tidemark: " + e);
      err.println(
          "This is a bug in Tidemark. Please report it"
              + (debug ? ", with the trace:" : "; run it again with --debug for the trace."));
    }
    if (debug) {
      e.printStackTrace(err);
    }
    err.flush();
    if (e instanceof TidemarkException known) {
      return ExitCodes.of(known);
    }
    return e instanceof UncheckedIOException ? ExitCodes.STORAGE : ExitCodes.FAILED;
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
    return root ? verbs.stream().map(Verb::name).toList() : command.getSubcommands().keySet();
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
