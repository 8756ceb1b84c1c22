// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.names.RefusedException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Transfer that moves an address in one store to where it is in another.
 *
 * <p>A ledger's head follows only its own history, which is read on both sides. Where there is no
 * ledger behind a name, or it is that of a graph source, all there is to go by is the head itself.
 */
public final class Transfer {

  private final Direction direction;
  private final TransferEndpoint from;
  private final TransferEndpoint to;
  private final Settings settings;

  /**
   * Strategy of the transfer.
   *
   * @param ledgers how ledgers are opened; their writer moves the head
   */
  public record Settings(LedgerOptions ledgers, CopyProgress progress) {}

  public Transfer(
      Direction direction, TransferEndpoint from, TransferEndpoint to, Settings settings) {
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.settings = settings;
  }

  /**
   * Runs the transfer.
   *
   * @param known whether the target is where it was at the last fetch. Only transfers of names need
   *     it: a push onto a name that has moved since, or that was never fetched, is rejected
   */
  public RecordTransferResult run(Predicate<NameRecord> known) {
    Optional<NameRecord> source = from.record();
    if (source.isEmpty()) {
      return RecordTransferResult.ofOutcome(
          new TransferOutcome.NotFound(from.names().location(), from.address()));
    }
    if (source.get().meta().kind() == RecordKind.LEDGER && hasLedger(from)) {
      return new RemoteLedgerTransfer(direction, from, to, settings).run();
    }
    if (to.record().filter(r -> r.meta().kind() == RecordKind.LEDGER).isPresent()
        && hasLedger(to)) {
      throw new RefusedException(
          to.address()
              + " in "
              + to.names().location()
              + " is a ledger, and "
              + from.address()
              + " in "
              + from.names().location()
              + " only a name; give one of them another name");
    }
    return new NameTransfer(direction, from, to).run(source.get(), known);
  }

  private boolean hasLedger(TransferEndpoint transferEndpoint) {
    return new NamedBranches(transferEndpoint.ledgers(), settings.ledgers())
        .hasLedger(transferEndpoint.address());
  }
}
