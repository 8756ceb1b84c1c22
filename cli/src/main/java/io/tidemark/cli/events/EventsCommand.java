// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark events VERB}. */
@Command(
    description =
        "Events on plain objects: each handler gets each event at least once, or it ends as a dead"
            + " letter with the reason.",
    subcommands = {
      PublishCommand.class,
      EventListCommand.class,
      ShowCommand.class,
      ClaimCommand.class,
      AckCommand.class,
      ReleaseCommand.class,
      DeadLettersCommand.class,
      ReplayCommand.class,
      CleanupCommand.class,
      NamespacesCommand.class,
      SessionsCommand.class,
      TailCommand.class,
      SubscribeCommand.class,
      UnsubscribeCommand.class,
      SubscriptionsCommand.class,
      ScheduleCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  tidemark events publish order.created '{\"order\":17}'",
      "  tidemark events tail",
      "  tidemark events claim mailer --type order.created --limit 10",
      "  tidemark events ack EVENT --handler mailer --session SESSION",
      "  tidemark events dead-letters",
      "  tidemark events COMMAND --help"
    })
public final class EventsCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
