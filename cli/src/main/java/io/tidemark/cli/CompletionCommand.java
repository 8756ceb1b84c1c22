// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import io.tidemark.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark completion}. */
@Command(
    description = "Prints a script that lets Bash or zsh complete verbs and options.",
    footer = {
      "",
      "Examples:",
      "  source <(tidemark completion)",
      "  tidemark completion > ~/.local/share/bash-completion/completions/tidemark"
    })
final class CompletionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine()
        .getOut()
        .print(
            AutoComplete.bash(
                "tidemark", TidemarkCommand.completeCommandLine(CommandDescriptor.all())));
    return ExitCodes.OK;
  }
}
