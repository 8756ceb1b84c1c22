// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventClaim;
import io.tidemark.api.events.EventDetails;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.SettleRequest;
import io.tidemark.api.events.SettleRequest.SettleKind;
import io.tidemark.api.events.SettleResult;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mixin of {@code ack} and {@code release}: the claimed events to settle. */
final class ClaimedEventsMixin {

  @Mixin private NamespaceMixin choice;

  @Parameters(arity = "1..*", paramLabel = "EVENT", description = "The ids of the events.")
  private List<String> events = new ArrayList<>();

  @Option(
      names = "--handler",
      required = true,
      paramLabel = "HANDLER",
      description = "For whom they were claimed.")
  private String handler;

  @Option(
      names = "--session",
      required = true,
      paramLabel = "NAME",
      description = "Who claimed them, as 'claim' says.")
  private String session;

  /** Settles each event, and prints the result; a conflict if one isn't held any more. */
  int settle(SettleKind settleKind, String error) {
    SettleRequest request =
        SettleRequest.of(settleKind, handler, session, events).withError(Optional.of(error));
    return choice.with(
        service -> {
          List<SettleResult> all = service.settle(request);
          String text =
              String.join(
                  System.lineSeparator(), all.stream().map(each -> text(each, service)).toList());
          choice.bus().print(all, text);
          return all.stream().allMatch(SettleResult::isDone) ? ExitCodes.OK : ExitCodes.CONFLICT;
        });
  }

  private String text(SettleResult settled, EventService service) {
    String id = settled.eventId();
    if (!settled.isDone()) {
      return "no effect on " + id + ": " + explanation(settled, service);
    }
    EventClaim claim = settled.claim().orElseThrow();
    if (claim.ackAt().isPresent()) {
      return "acknowledged " + id;
    }
    String failures = Plural.of(claim.failures(), "failure");
    if (claim.deadLetteredAt().isPresent()) {
      return "gave " + id + " up after " + failures;
    }
    String when = ", to be tried at " + EventFormatter.time(claim.availableAt());
    return "released " + id + ": " + failures + " of " + EventService.MOST_FAILURES + when;
  }

  private String explanation(SettleResult settled, EventService service) {
    if (settled.claim().isPresent()) {
      return "for " + handler + " it is " + state(settled.claim().get());
    }
    return isStored(settled.eventId(), service)
        ? handler + " hasn't claimed it"
        : "there is no such event";
  }

  private static boolean isStored(String id, EventService service) {
    try {
      EventDetails unused = service.archive().show(id);
      return true;
    } catch (TidemarkException e) {
      if (e.code().equals(ErrorCode.UNKNOWN_EVENT.text())) {
        return false;
      }
      throw e;
    }
  }

  private String state(EventClaim claim) {
    String by = claim.sessionId().equals(session) ? "this session" : claim.sessionId();
    return EventFormatter.state(claim, Instant.now()) + ", last claimed by " + by;
  }
}
