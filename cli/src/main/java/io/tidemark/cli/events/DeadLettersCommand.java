// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.DeadLetterEntry;
import io.tidemark.api.events.EventService;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark events dead-letters}. */
@Command(
    name = "dead-letters",
    description =
        "Lists what handlers have given up, and why. A dead letter keeps its event, so that"
            + " 'replay' works after a cleanup too.",
    footer = {
      "",
      "Examples:",
      "  tidemark events dead-letters",
      "  tidemark events dead-letters --namespace orders --limit 1000 --json",
      "  tidemark events replay EVENT                     Once the reason is gone"
    })
final class DeadLettersCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamespaceMixin choice;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: 100")
  private int limit = 100;

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit takes a number from 1");
    }
    return choice.with(this::list);
  }

  private int list(EventService events) {
    List<DeadLetterEntry> found =
        choice
            .bus()
            .withWaitMessage(
                "reading dead letters ...",
                () -> events.archive().deadLetters(limit, Optional.empty()))
            .items();
    choice.bus().print(found, found.isEmpty() ? "no dead letters" : table(found));
    return ExitCodes.OK;
  }

  private static String table(List<DeadLetterEntry> letters) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("EVENT", "HANDLER", "FAILED", "ATTEMPTS", "TYPE", "REASON"));
    for (DeadLetterEntry letter : letters) {
      rows.add(
          List.of(
              letter.eventId(),
              letter.handlerId(),
              EventFormatter.time(letter.failedAt()),
              Integer.toString(letter.attempts()),
              letter.eventType().orElse("?"),
              EventFormatter.brief(letter.lastError())));
    }
    return Table.aligned(rows);
  }
}
