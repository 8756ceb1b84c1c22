// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.events.EventService;
import io.tidemark.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark events unsubscribe HANDLER}. */
@Command(
    name = "unsubscribe",
    description = "Ends the subscription of a webhook.",
    footer = {
      "",
      "Exit code 1: there is no such subscription.",
      "",
      "Examples:",
      "  tidemark events unsubscribe billing",
      "  tidemark events unsubscribe billing --namespace orders --json"
    })
final class UnsubscribeCommand implements Callable<Integer> {

  @Mixin private NamespaceMixin choice;

  @Parameters(paramLabel = "HANDLER", description = "Id of the handler.")
  private String handler;

  @Override
  public Integer call() {
    return choice.with(this::unsubscribe);
  }

  private int unsubscribe(EventService events) {
    events.subscriptions().unsubscribe(handler);
    choice
        .bus()
        .print(
            JsonNodeFactory.instance.objectNode().put("unsubscribed", handler),
            "unsubscribed " + handler);
    return ExitCodes.OK;
  }
}
