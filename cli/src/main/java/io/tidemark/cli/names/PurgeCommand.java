// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark purge ADDRESS --yes}. */
@Command(
    description = {
      "Removes a record so that its name is free again. What it pointed to stays where it"
          + " is, but nothing points to it any more. 'retract' is the way that can be undone."
    },
    footer = {"", "Examples:", "  tidemark purge mydb:old --yes"})
public final class PurgeCommand implements Callable<Integer> {

  @Mixin private NamesOptions options;

  @Parameters(
      paramLabel = "ADDRESS",
      converter = AddressConverter.class,
      description = "name or name:branch")
  private Address address;

  @Option(names = "--yes", description = "Yes, it can't be undone.")
  private boolean yes;

  @Override
  public Integer call() {
    return options.with(
        names -> {
          if (!yes) {
            throw new RefusedException(
                "purging " + address + " can't be undone; say --yes, or use 'tidemark retract'");
          }
          boolean purged = names.purge(address);
          ObjectNode json = JsonNodeFactory.instance.objectNode();
          options.print(
              purged
                  ? json.put("purged", address.toString())
                  : json.putNull("purged").put("absent", address.toString()),
              purged ? "purged " + address : "nothing to purge: there is no " + address);
          return 0;
        });
  }
}
