// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.cli.names.AddressConverter;
import io.tidemark.names.Address;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark push LEDGER [--remote R]}. */
@Command(
    description =
        "Moves a ledger on a remote to where it is here: copies the commits that are missing there,"
            + " then moves its head. One that isn't there is made. What is interrupted is completed"
            + " by pushing again.",
    footer = {
      "",
      "Exit code 6: each side has what the other hasn't; nothing was moved, and it is said what to"
          + " do.",
      "",
      "Examples:",
      "  tidemark push crm                                       To its upstream",
      "  tidemark push crm:dev --remote origin --set-upstream",
      "  tidemark push crm:theirs --remote origin --to crm:main",
      "  tidemark push crm --server http://host:7700             Has a server push it"
    })
public final class PushCommand implements Callable<Integer> {

  @Mixin private TransferMixin moved;

  @Option(
      names = "--to",
      paramLabel = "ADDRESS",
      converter = AddressConverter.class,
      description = "What it is called there. Default: as upstream has it, or as here")
  private @Nullable Address there;

  @Override
  public Integer call() {
    return moved.push(there);
  }
}
