// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.cli.names.AddressConverter;
import io.tidemark.names.Address;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark pull LEDGER [--remote R]}. */
@Command(
    description =
        "Moves a ledger here to where it is on a remote: copies the commits that are missing here,"
            + " then moves its head. One that isn't here is made. What is interrupted is completed"
            + " by pulling again.",
    footer = {
      "",
      "Exit code 6: each side has what the other hasn't; nothing was moved, and it is said what to"
          + " do.",
      "",
      "Examples:",
      "  tidemark pull crm                                       From its upstream",
      "  tidemark pull crm:dev --remote origin --set-upstream",
      "  tidemark pull crm:theirs --remote origin --from crm:main",
      "  tidemark pull crm --server http://host:7700             Has a server pull it"
    })
public final class PullCommand implements Callable<Integer> {

  @Mixin private TransferMixin moved;

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      converter = AddressConverter.class,
      description = "What it is called there. Default: as upstream has it, or as here")
  private @Nullable Address there;

  @Override
  public Integer call() {
    return moved.pull(there);
  }
}
