// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.ledger.AgeConverter;
import io.tidemark.events.Cleanup;
import io.tidemark.events.CleanupReport;
import io.tidemark.events.EventBus;
import io.tidemark.events.view.EventView;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark events cleanup}. */
@Command(
    name = "cleanup",
    description =
        "Deletes old events that are finished, with their claims: those that at least one handler"
            + " has claimed, and that all who did have acknowledged or given up. Dead letters and"
            + " sessions stay unless it is said how old they may be.",
    footer = {
      "",
      "Handlers are written down nowhere: one that has never claimed an event isn't",
      "waited for.",
      "",
      "Examples:",
      "  tidemark events cleanup",
      "  tidemark events cleanup --before 24h --dead-letters 30d --sessions 7d",
      "  tidemark events cleanup --before 30d --force      What nobody handled, too"
    })
final class CleanupVerb implements Callable<Integer> {

  @Mixin private NamespaceChoice choice;

  @Option(
      names = "--before",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "What is older: 90s, 30m, 24h, 7d. Default: 7d")
  private Duration before = Duration.ofDays(7);

  @Option(names = "--force", description = "Events that aren't finished, too.")
  private boolean force;

  @Option(
      names = "--dead-letters",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Dead letters that are older, too.")
  private @Nullable Duration deadLetters;

  @Option(
      names = "--sessions",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Sessions not heard of for longer, too.")
  private @Nullable Duration sessions;

  @Override
  public Integer call() {
    return choice.withBus(this::cleanUp);
  }

  private int cleanUp(EventBus bus) {
    Cleanup wanted = wanted(bus.store().clock().instant());
    CleanupReport done =
        choice.bus().awaited("cleaning up ...", () -> bus.namespace(choice.name()).cleanup(wanted));
    choice.bus().print(EventView.json(choice.name(), wanted.before(), done), text(done));
    return ExitCodes.OK;
  }

  private Cleanup wanted(Instant now) {
    Cleanup wanted = Cleanup.before(now.minus(before));
    wanted = force ? wanted.with(Cleanup.Unfinished.DELETE) : wanted;
    wanted = deadLetters == null ? wanted : wanted.withDeadLettersBefore(now.minus(deadLetters));
    return sessions == null ? wanted : wanted.withSessionsBefore(now.minus(sessions));
  }

  private String text(CleanupReport done) {
    StringBuilder text = new StringBuilder("deleted ");
    text.append(Shown.count(done.events(), "event"));
    text.append(", ").append(Shown.count(done.claims(), "claim"));
    if (deadLetters != null) {
      text.append(", ").append(Shown.count(done.deadLetters(), "dead letter"));
    }
    if (sessions != null) {
      text.append(", ").append(Shown.count(done.sessions(), "session"));
    }
    if (done.kept() > 0) {
      text.append("; kept ").append(Shown.count(done.kept(), "event"));
      text.append(" of that age that ").append(done.kept() == 1 ? "isn't" : "aren't");
      text.append(" finished; --force deletes them too");
    }
    return text.toString();
  }
}
