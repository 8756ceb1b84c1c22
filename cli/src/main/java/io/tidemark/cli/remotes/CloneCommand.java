// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.api.remotes.CloneRequest;
import io.tidemark.cli.names.AddressConverter;
import io.tidemark.cli.remotes.TransferOutcomeFormatter.Direction;
import io.tidemark.names.Address;
import io.tidemark.remotes.RemoteName;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark clone LOCATION LEDGER [LOCAL]}. */
@Command(
    description =
        "Makes a ledger here that is in another store, with all of its commits, and has it follow"
            + " that one. The other store becomes a remote. What is interrupted is completed by"
            + " doing it again.",
    footer = {
      "",
      "Exit code 6: there is another ledger of that name here, or another remote.",
      "",
      "Examples:",
      "  tidemark clone s3://bucket/prefix crm",
      "  tidemark clone https://host:7700 crm             From a server",
      "  tidemark clone /mnt/laptop/tidemark-data crm:dev crm --origin laptop"
    })
public final class CloneCommand implements Callable<Integer> {

  @Mixin private RemotesMixin options;

  @Parameters(
      index = "0",
      paramLabel = "LOCATION",
      description = "Where it is: what --data would say there.")
  private String location;

  @Parameters(
      index = "1",
      paramLabel = "LEDGER",
      converter = AddressConverter.class,
      description = "What it is called there: name or name:branch.")
  private Address there;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "LOCAL",
      converter = AddressConverter.class,
      description = "What to call it here. Default: its name there")
  private @Nullable Address local;

  @Option(
      names = "--origin",
      paramLabel = "NAME",
      defaultValue = "origin",
      converter = RemoteNameConverter.class,
      description = "What to call the other store. Default: origin")
  private RemoteName origin = RemoteName.ORIGIN;

  @Override
  public Integer call() {
    CloneRequest request =
        new CloneRequest(
            location,
            there.toString(),
            Optional.ofNullable(local).map(Address::toString),
            Optional.of(origin.text()));
    return options.transfer(
        Direction.PULL, (transfers, listener) -> transfers.cloneLedger(request, listener));
  }
}
