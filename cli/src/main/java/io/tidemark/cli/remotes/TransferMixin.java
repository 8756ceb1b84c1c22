// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.api.remotes.TransferRequest;
import io.tidemark.cli.names.AddressConverter;
import io.tidemark.cli.remotes.TransferOutcomeFormatter.Direction;
import io.tidemark.names.Address;
import io.tidemark.remotes.RemoteName;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that push and pull share: the ledger, the remote and whether to set the upstream. */
final class TransferMixin {

  @Mixin private RemotesMixin options;

  @Parameters(
      index = "0",
      paramLabel = "LEDGER",
      converter = AddressConverter.class,
      description = "The name of the ledger here, or name:branch.")
  private Address local;

  @Option(
      names = "--remote",
      paramLabel = "NAME",
      converter = RemoteNameConverter.class,
      description = "Which remote. Default: that of its upstream")
  private @Nullable RemoteName remote;

  @Option(names = "--set-upstream", description = "Do so from now on when no remote is named.")
  private boolean follow;

  int pull(@Nullable Address there) {
    return options.transfer(
        Direction.PULL, (transfers, listener) -> transfers.pull(request(there), listener));
  }

  int push(@Nullable Address there) {
    return options.transfer(
        Direction.PUSH, (transfers, listener) -> transfers.push(request(there), listener));
  }

  private TransferRequest request(@Nullable Address there) {
    return new TransferRequest(
        local.toString(),
        Optional.ofNullable(remote).map(RemoteName::text),
        Optional.ofNullable(there).map(Address::toString),
        follow);
  }
}
