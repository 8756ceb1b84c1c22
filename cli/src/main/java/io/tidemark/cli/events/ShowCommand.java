// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.DeadLetterEntry;
import io.tidemark.api.events.EventClaim;
import io.tidemark.api.events.EventDetails;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.StoredEvent;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark events show EVENT}. */
@Command(
    name = "show",
    description =
        "Shows all that is stored about an event: what it says, and how far each handler"
            + " is with it.",
    footer = {
      "",
      "Exit code 1: there is no such event, and no dead letter of it.",
      "",
      "Examples:",
      "  tidemark events show 0199a1f2-7c4e-7000-8a51-6f2d1c3b4a59",
      "  tidemark events show order-17 --namespace orders --json"
    })
final class ShowCommand implements Callable<Integer> {

  @Mixin private NamespaceMixin choice;

  @Parameters(paramLabel = "EVENT", description = "The id of the event.")
  private String id;

  @Override
  public Integer call() {
    return choice.with(this::show);
  }

  private int show(EventService events) {
    EventDetails found = events.archive().show(id);
    choice.bus().print(found, text(found, Instant.now()));
    return ExitCodes.OK;
  }

  private static String text(EventDetails found, Instant now) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("event", found.eventId()));
    found.event().ifPresent(event -> describe(event, lines));
    lines.add(List.of("status", found.status().word()));
    if (found.event().isEmpty()) {
      lines.add(List.of("payload", "gone, or can't be read"));
    }
    String text = Table.aligned(lines);
    String blank = System.lineSeparator() + System.lineSeparator();
    if (!found.claims().isEmpty()) {
      text += blank + claims(found.claims(), now);
    }
    for (DeadLetterEntry letter : found.deadLetters()) {
      text += blank + Table.aligned(letter(letter));
    }
    return text;
  }

  private static void describe(StoredEvent event, List<List<String>> lines) {
    lines.add(List.of("type", event.type()));
    lines.add(List.of("created", EventFormatter.time(event.createdAt())));
    lines.add(List.of("priority", Integer.toString(event.priority())));
    if (event.chainDepth() > 0) {
      lines.add(List.of("chain", event.chainDepth() + " after " + event.rootEventId()));
    }
    lines.add(List.of("payload", event.payload().toString()));
  }

  private static String claims(List<EventClaim> claims, Instant now) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("HANDLER", "STATE", "SESSION", "FAILURES", "LAST ERROR"));
    for (EventClaim claim : claims) {
      rows.add(
          List.of(
              claim.handlerId(),
              EventFormatter.state(claim, now),
              claim.sessionId(),
              Integer.toString(claim.failures()),
              claim.lastError().map(EventFormatter::brief).orElse("-")));
    }
    return Table.aligned(rows);
  }

  private static List<List<String>> letter(DeadLetterEntry letter) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("dead letter", "of " + letter.handlerId()));
    lines.add(List.of("failed", EventFormatter.time(letter.failedAt())));
    lines.add(List.of("attempts", Integer.toString(letter.attempts())));
    lines.add(List.of("reason", letter.lastError()));
    letter.raw().ifPresent(raw -> lines.add(List.of("was", EventFormatter.brief(raw))));
    return lines;
  }
}
