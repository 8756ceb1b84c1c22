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
      PublishVerb.class,
      ListVerb.class,
      ShowVerb.class,
      ClaimVerb.class,
      AckVerb.class,
      ReleaseVerb.class,
      DeadLettersVerb.class,
      ReplayVerb.class,
      CleanupVerb.class,
      NamespacesVerb.class,
      SessionsVerb.class,
      TailVerb.class,
      SubscribeVerb.class,
      UnsubscribeVerb.class,
      SubscriptionsVerb.class,
      ScheduleVerb.class
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
public final class EventsVerb implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
