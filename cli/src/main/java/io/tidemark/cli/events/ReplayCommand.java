// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.EventService;
import io.tidemark.api.events.ReplayResult;
import io.tidemark.cli.terminal.ExitCodes;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark events replay EVENT}. */
@Command(
    name = "replay",
    description =
        "Publishes an event again under a new id, so that every handler gets it, also those that"
            + " were through with it. If the event was cleaned up, its dead letter serves.",
    footer = {
      "",
      "Exit code 1: there is no such event, and no dead letter of it.",
      "",
      "Examples:",
      "  tidemark events replay order-17",
      "  tidemark events replay order-17 --namespace orders --json"
    })
final class ReplayCommand implements Callable<Integer> {

  @Mixin private NamespaceMixin choice;

  @Parameters(paramLabel = "EVENT", description = "The id of the event.")
  private String id;

  @Override
  public Integer call() {
    return choice.with(this::replay);
  }

  private int replay(EventService events) {
    ReplayResult done = events.archive().replay(id, Optional.empty());
    choice.bus().print(done, "published " + id + " again as " + done.newEventId());
    return ExitCodes.OK;
  }
}
