// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Placeholder of a verb that isn't a part of this installation. */
@Command
final class NotInstalledCommand implements Runnable {

  private final String remedy;

  @Spec private CommandSpec spec;

  @Unmatched
  @SuppressWarnings("UnusedVariable") // whatever follows the verb is taken and left alone
  private String[] arguments = {};

  NotInstalledCommand(String remedy) {
    this.remedy = remedy;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "'" + spec.name() + "' isn't a part of this installation; " + remedy);
  }
}
