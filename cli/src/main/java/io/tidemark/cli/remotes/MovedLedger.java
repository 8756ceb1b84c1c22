// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.cli.names.AddressConverter;
import io.tidemark.names.Address;
import io.tidemark.remotes.Outcome;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.Remotes.Other;
import io.tidemark.remotes.Upstream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is to be pushed or pulled, and from or to where. */
final class MovedLedger {

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
  private boolean setUpstream;

  Address local() {
    return local;
  }

  Other other(Optional<Address> there) {
    return new Other(Optional.ofNullable(remote), there);
  }

  /** Keeps the other side as the upstream, if that was asked for and it is there. */
  void remember(Remotes remotes, Optional<Upstream> pair, Outcome outcome) {
    boolean there =
        outcome instanceof Outcome.Created
            || outcome instanceof Outcome.FastForwarded
            || outcome instanceof Outcome.UpToDate;
    if (setUpstream && there) {
      pair.ifPresent(remotes::follow);
    }
  }
}
