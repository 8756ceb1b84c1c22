// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.CommandErrorHandler.ErrorDetail;
import io.tidemark.cli.log.LoggingSetup;
import io.tidemark.cli.terminal.Version;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * Root of the {@code tidemark} command, with the options of every verb. The verbs are listed in
 * {@link CommandDescriptor#all()}.
 *
 * <p>Starting takes most of the time of a short command. So the root is described by calls rather
 * than by annotations, which would be read by reflection. Picocli loads a verb only when its name
 * is on the command line, so the time to start doesn't grow with the number of verbs.
 */
public final class TidemarkCommand implements Runnable {

  private static final String DEBUG = "--debug";
  private static final String JSON = "--json";

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name("tidemark");

  private TidemarkCommand(List<CommandDescriptor> verbs, List<String> words) {
    spec.versionProvider(new Version()).addOption(help()).addOption(version()).addOption(debug());
    describe(spec.usageMessage(), verbs);
    for (CommandDescriptor commandDescriptor : verbs) {
      if (words.contains(commandDescriptor.name())) {
        spec.addSubcommand(commandDescriptor.name(), commandDescriptor.load());
      }
    }
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    LoggingSetup.configure(args);
    int exitCode = Version.isOnlyRequest(args) ? Version.print() : execute(args);
    if (StandardOutput.isIncomplete() && exitCode == ExitCode.OK) {
      System.err.println("tidemark: can't write the output; is the disk full?");
      exitCode = ExitCode.SOFTWARE;
    }
    System.exit(exitCode);
  }

  private static int execute(String... args) {
    List<CommandDescriptor> verbs = CommandDescriptor.all();
    return execute(commandLine(verbs, args), verbs, args);
  }

  /** Runs the command within this process and returns its exit code. */
  static int run(List<CommandDescriptor> verbs, PrintWriter out, PrintWriter err, String... args) {
    return execute(commandLine(verbs, args).setOut(out).setErr(err), verbs, args);
  }

  /** Returns the command with all its verbs loaded. */
  static CommandLine completeCommandLine(List<CommandDescriptor> verbs) {
    return commandLine(verbs, verbs.stream().map(CommandDescriptor::name).toArray(String[]::new));
  }

  private static CommandLine commandLine(List<CommandDescriptor> verbs, String... args) {
    // Without this, picocli looks for Groovy and the JVM opens every jar there is to find none.
    System.setProperty("picocli.disable.closures", "true");
    // Each start would initialise java.sql and java.time, for options that name their converters.
    System.setProperty("picocli.converters.excludes", "java[.]sql[.].*,java[.]time[.].*");
    return new CommandLine(new TidemarkCommand(verbs, Arrays.asList(args)).spec)
        .setExpandAtFiles(false) // "@FILE" is for verbs to read, and a part of conditions
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static int execute(CommandLine command, List<CommandDescriptor> verbs, String... args) {
    CommandErrorHandler commandErrorHandler =
        new CommandErrorHandler(command.getErr(), verbs, errorDetails(Arrays.asList(args)));
    command
        .setParameterExceptionHandler(commandErrorHandler)
        .setExecutionExceptionHandler(commandErrorHandler);
    try {
      return command.execute(args);
    } catch (RuntimeException | Error e) {
      // Exceptions of a verb have been handled; these are the command's own, or the JVM's.
      return commandErrorHandler.failure(e);
    } finally {
      command.getOut().flush(); // which only ends of lines do by themselves
    }
  }

  /** Returns the requested error details, from the raw arguments, as these may not be parseable. */
  private static Set<ErrorDetail> errorDetails(List<String> words) {
    Set<ErrorDetail> wishes = EnumSet.noneOf(ErrorDetail.class);
    if (words.contains(DEBUG)) {
      wishes.add(ErrorDetail.TRACE);
    }
    if (words.contains(JSON)) {
      wishes.add(ErrorDetail.JSON);
    }
    return wishes;
  }

  /** Runs the command without a verb. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a verb is missing");
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .scopeType(ScopeType.INHERIT)
        .description("Say what can be done, and how.")
        .build();
  }

  private static OptionSpec version() {
    return OptionSpec.builder("-V", "--version")
        .versionHelp(true)
        .description("Print the version of Tidemark and of the Java it runs on.")
        .build();
  }

  private static OptionSpec debug() {
    return OptionSpec.builder(DEBUG)
        .scopeType(ScopeType.INHERIT)
        .description("When something fails, print the stack trace too.")
        .build();
  }

  private static void describe(UsageMessageSpec usage, List<CommandDescriptor> verbs) {
    usage
        .header("Tidemark keeps every state of your data.")
        .synopsisHeading("%nUsage: ")
        .customSynopsis(
            "tidemark [--debug] VERB [ARGUMENT...]", "       tidemark --help | --version")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("")
        .sectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new RootHelpRenderer(verbs));
  }
}
