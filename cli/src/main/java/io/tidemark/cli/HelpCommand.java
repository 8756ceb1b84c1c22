// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code tidemark help [VERB...]}: the same text as the verb's own {@code --help}. */
@Command
final class HelpCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "VERB", description = "A verb, followed by its own verb if it has any.")
  private List<String> path = List.of();

  @Override
  public void run() {
    CommandLine command = spec.parent().commandLine();
    for (String name : path) {
      CommandLine verb = command.getSubcommands().get(name);
      if (verb == null) {
        throw new UnmatchedArgumentException(command, List.of(name));
      }
      command = verb;
    }
    command.usage(spec.commandLine().getOut());
  }
}
