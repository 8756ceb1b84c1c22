// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import io.tidemark.api.events.SettleRequest.SettleKind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark events release EVENT...}. */
@Command(
    name = "release",
    description =
        "Says that a handler has failed at events that it claimed. They are handed out again after"
            + " a while, which doubles each time; what has failed 10 times is given up and becomes"
            + " a dead letter.",
    footer = {
      "",
      "Exit code 6: it had no effect on one of them, since the session doesn't have it",
      "any more; the others are done.",
      "",
      "Examples:",
      "  tidemark events release order-17 --handler mailer --session night --error full",
      "  tidemark events release order-17 --handler mailer --session night --give-up"
    })
final class ReleaseCommand implements Callable<Integer> {

  @Mixin private ClaimedEventsMixin held;

  @Option(names = "--error", paramLabel = "TEXT", description = "What went wrong.")
  private String error = "";

  @Option(
      names = "--give-up",
      description = "Make it a dead letter at once, as trying again wouldn't help.")
  private boolean giveUp;

  @Override
  public Integer call() {
    return held.settle(giveUp ? SettleKind.GIVE_UP : SettleKind.RELEASE, error);
  }
}
