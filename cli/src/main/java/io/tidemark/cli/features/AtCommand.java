// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.LookupRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark features at COLLECTION TXN|TIME ID...}. */
@Command(
    name = "at",
    description =
        "Shows features as they were: after a transaction with all before it, or with all that"
            + " transactions did that had begun by a time.",
    footer = {
      "",
      "Exit code 1: one wasn't there then; the others are shown.",
      "",
      "Examples:",
      "  tidemark features at roads 2026111600000000007 r1",
      "  tidemark features at roads 2026-11-16T12:00:00Z r1 r2 --json",
      "  tidemark features at roads \"2 hours ago\" r1"
    })
final class AtCommand implements Callable<Integer> {

  @Mixin private ReadMixin read;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Parameters(
      index = "1",
      paramLabel = "TXN|TIME",
      description = "The transaction, or a time; without an offset it is local.")
  private String past;

  @Parameters(index = "2..*", arity = "1..*", paramLabel = "ID", description = "Which features.")
  private List<String> ids = List.of();

  @Override
  public Integer call() {
    LookupRequest request = LookupRequest.of(ids).at(read.storage().moment(past));
    return new FeatureResultPrinter(
            read.ask(service -> service.collection(collection).lookup(request)))
        .print(read.storage());
  }
}
