// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.SettleRequest.SettleKind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark events ack EVENT...}. */
@Command(
    name = "ack",
    description =
        "Says that a handler is through with events that it claimed; it never gets them again.",
    footer = {
      "",
      "Exit code 6: it had no effect on one of them, since the session doesn't have it",
      "any more; the others are done.",
      "",
      "Examples:",
      "  tidemark events ack order-17 --handler mailer --session night",
      "  tidemark events ack order-17 order-18 --handler mailer --session night --json"
    })
final class AckCommand implements Callable<Integer> {

  @Mixin private ClaimedEventsMixin held;

  @Override
  public Integer call() {
    return held.settle(SettleKind.ACK, "");
  }
}
