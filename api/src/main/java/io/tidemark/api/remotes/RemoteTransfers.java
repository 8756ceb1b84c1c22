// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import java.util.function.Consumer;

/**
 * Copies of ledgers between this store and others. A head only moves along its own history. An
 * interrupted transfer is completed by repeating it.
 *
 * <p>A listener is told when a transfer has begun, and then now and then, by one thread at a time;
 * its figures never decrease.
 */
public interface RemoteTransfers {

  /** Moves an address on a remote to where it is here. */
  TransferResult push(TransferRequest request, Consumer<TransferProgress> listener);

  /** Moves an address here to where it is on a remote. */
  TransferResult pull(TransferRequest request, Consumer<TransferProgress> listener);

  /** Makes a ledger here that is in another store, which becomes a remote that it follows. */
  TransferResult cloneLedger(CloneRequest request, Consumer<TransferProgress> listener);
}
