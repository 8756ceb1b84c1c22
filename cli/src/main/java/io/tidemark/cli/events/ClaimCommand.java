// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.ClaimedEvent;
import io.tidemark.api.events.EventClaimRequest;
import io.tidemark.api.events.EventService;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.ShellWord;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.time.AgeConverter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark events claim HANDLER}. */
@Command(
    name = "claim",
    description =
        "Takes events for a handler, the most urgent and then the oldest first, so that no other"
            + " worker of that handler gets them before the lease runs out. Say 'ack' for each that"
            + " was handled and 'release' for each that failed; what nobody settles is handed out"
            + " again.",
    footer = {
      "",
      "An event can be handed out more than once. What isn't to be done twice is done",
      "under the idempotency_key that --json shows, which is the same each time.",
      "",
      "Examples:",
      "  tidemark events claim mailer",
      "  tidemark events claim mailer --type order.paid --limit 10 --lease 5m",
      "  tidemark events claim mailer --session night --json"
    })
final class ClaimCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private NamespaceMixin choice;

  @Parameters(paramLabel = "HANDLER", description = "Who wants them; each handler gets all.")
  private String handler;

  @Option(
      names = "--type",
      split = ",",
      paramLabel = "TYPE",
      description = {
        "Only of these types, separated by commas; the same",
        "each time for a handler. Default: all"
      })
  private List<String> types = List.of();

  @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: 1")
  private int limit = 1;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      converter = AgeConverter.class,
      description = "For how long: 90s, 30m, 24h. Default: 30s")
  private Duration lease = Duration.ofSeconds(30);

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description = "Who does the work, for 'ack' and 'release'. Default: a new name")
  private @Nullable String session;

  @Override
  public Integer call() {
    if (limit < 1 || lease.isZero()) {
      throw new ParameterException(
          spec.commandLine(), "--limit takes a number from 1, --lease a time from 1s");
    }
    return choice.with(this::claim);
  }

  private int claim(EventService events) {
    String name = session == null ? "cli-" + UUID.randomUUID() : session;
    EventClaimRequest request =
        EventClaimRequest.of(handler)
            .withSession(Optional.of(name))
            .withTypes(types)
            .withLimit(Optional.of(limit))
            .withLease(lease);
    List<ClaimedEvent> claimed =
        choice.bus().withWaitMessage("looking for events ...", () -> events.claim(request));
    choice.bus().print(claimed, claimed.isEmpty() ? "nothing to do" : text(claimed, name));
    return ExitCodes.OK;
  }

  private String text(List<ClaimedEvent> claimed, String session) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("EVENT", "TYPE", "PRIORITY", "ATTEMPT", "LEASE UNTIL", "PAYLOAD"));
    for (ClaimedEvent each : claimed) {
      rows.add(
          List.of(
              each.event().id(),
              each.event().type(),
              Integer.toString(each.event().priority()),
              Integer.toString(each.attempt()),
              EventFormatter.time(each.leaseUntil()),
              EventFormatter.brief(each.event().payload().toString())));
    }
    return Table.aligned(rows)
        + System.lineSeparator()
        + System.lineSeparator()
        + "when it is done: "
        + settleCommandLine(session);
  }

  /**
   * Returns the command line that settles the claimed events, with the same store and namespace.
   */
  private String settleCommandLine(String session) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("tidemark", "events", "ack", "EVENT"));
    words.addAll(List.of("--handler", handler, "--session", session));
    if (!choice.name().equals(NamespaceMixin.USUAL)) {
      words.addAll(List.of("--namespace", choice.name()));
    }
    words.addAll(choice.bus().location());
    return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
  }
}
