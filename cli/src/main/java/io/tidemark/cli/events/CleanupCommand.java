// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.Cutoff;
import io.tidemark.api.events.EventCleanupRequest;
import io.tidemark.api.events.EventCleanupResult;
import io.tidemark.api.events.EventService;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.time.TimeExpression;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
      "  tidemark events cleanup --before 2026-11-01",
      "  tidemark events cleanup --before 30d --force      What nobody handled, too"
    })
final class CleanupCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamespaceMixin choice;

  @Option(
      names = "--before",
      paramLabel = "TIME",
      converter = TimeExpression.Converter.class,
      description = {
        "Events older than an age (90s, 30m, 24h, 7d, 2w) or",
        "from before a time (2026-11-18T14:30:00Z, \"2026-11-18",
        "14:30\", yesterday), which can't be in the future.",
        "Default: 7d"
      })
  private @Nullable TimeExpression before;

  @Option(names = "--force", description = "Events that aren't finished, too.")
  private boolean force;

  @Option(
      names = "--dead-letters",
      paramLabel = "TIME",
      converter = TimeExpression.Converter.class,
      description = "Dead letters that are older, too.")
  private @Nullable TimeExpression deadLetters;

  @Option(
      names = "--sessions",
      paramLabel = "TIME",
      converter = TimeExpression.Converter.class,
      description = "Sessions not heard of for longer, too.")
  private @Nullable TimeExpression sessions;

  @Override
  public Integer call() {
    return choice.with(this::cleanUp);
  }

  private int cleanUp(EventService events) {
    Instant now = Instant.now();
    EventCleanupRequest request =
        new EventCleanupRequest(
            cutoff("--before", before, now),
            force,
            cutoff("--dead-letters", deadLetters, now),
            cutoff("--sessions", sessions, now));
    EventCleanupResult done =
        choice.bus().withWaitMessage("cleaning up ...", () -> events.archive().cleanup(request));
    choice.bus().print(done, text(done));
    return ExitCodes.OK;
  }

  private Optional<Cutoff> cutoff(String option, @Nullable TimeExpression time, Instant now) {
    if (time == null) {
      return Optional.empty();
    }
    Instant meant = time.resolve(now.atZone(ZoneId.systemDefault()), choice.bus().err());
    if (meant.isAfter(now)) {
      throw new ParameterException(
          spec.commandLine(),
          "%s takes a time in the past, unlike '%s'; for all of them say 0s"
              .formatted(option, time));
    }
    return Optional.of(Cutoff.time(meant));
  }

  private String text(EventCleanupResult done) {
    StringBuilder text = new StringBuilder("deleted ");
    text.append(Plural.of(done.deleted(), "event"));
    text.append(", ").append(Plural.of(done.claims(), "claim"));
    if (deadLetters != null) {
      text.append(", ").append(Plural.of(done.deadLetters(), "dead letter"));
    }
    if (sessions != null) {
      text.append(", ").append(Plural.of(done.sessions(), "session"));
    }
    if (done.kept() > 0) {
      text.append("; kept ").append(Plural.of(done.kept(), "event"));
      text.append(" of that age that ").append(done.kept() == 1 ? "isn't" : "aren't");
      text.append(" finished; --force deletes them too");
    }
    return text.toString();
  }
}
