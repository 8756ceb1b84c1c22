// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.LocationPolicy;
import io.tidemark.names.NameService;
import io.tidemark.remotes.transfer.CopyProgress;
import java.util.function.Function;

/**
 * Options for reaching remotes and moving ledgers.
 *
 * @param opener opens the nameservice at a location; the caller closes it
 * @param places locations where moved ledgers may be. A name says where its ledger is, so a writer
 *     of the name could lead the process that moves the ledger, with its credentials, to any place
 * @param ledgers how they are opened on either side
 * @param progress told how far copying is
 */
public record TransferOptions(
    Function<String, NameService> opener,
    LocationPolicy places,
    LedgerOptions ledgers,
    CopyProgress progress) {

  /** Whatever a location can be; stores are trusted to say where their ledgers are. */
  public static TransferOptions standard() {
    return new TransferOptions(
        NameService::open,
        LocationPolicy.allowAll(),
        LedgerOptions.standard(),
        CopyProgress.none());
  }

  public TransferOptions withOpener(Function<String, NameService> other) {
    return new TransferOptions(other, places, ledgers, progress);
  }

  public TransferOptions withAllowedLocations(LocationPolicy other) {
    return new TransferOptions(opener, other, ledgers, progress);
  }

  public TransferOptions withLedgers(LedgerOptions other) {
    return new TransferOptions(opener, places, other, progress);
  }

  public TransferOptions withProgress(CopyProgress other) {
    return new TransferOptions(opener, places, ledgers, other);
  }
}
