// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.Places;
import io.tidemark.names.NameService;
import io.tidemark.remotes.transfer.CopyProgress;
import java.util.function.Function;

/**
 * How remotes are reached, and ledgers moved.
 *
 * @param opener opens what is at a location; whoever asks for it closes it
 * @param places where ledgers may be that are moved: a name says where its ledger is, and so does
 *     whoever may write it. They could lead whoever moves the ledger, with his credentials, to any
 *     place
 * @param ledgers how they are opened on either side
 * @param progress told how far copying is
 */
public record Means(
    Function<String, NameService> opener,
    Places places,
    LedgerOptions ledgers,
    CopyProgress progress) {

  /** Whatever a location can be; stores are trusted to say where their ledgers are. */
  public static Means standard() {
    return new Means(
        NameService::open, Places.anywhere(), LedgerOptions.standard(), CopyProgress.untold());
  }

  public Means withOpener(Function<String, NameService> other) {
    return new Means(other, places, ledgers, progress);
  }

  public Means within(Places other) {
    return new Means(opener, other, ledgers, progress);
  }

  public Means withLedgers(LedgerOptions other) {
    return new Means(opener, places, other, progress);
  }

  public Means withProgress(CopyProgress other) {
    return new Means(opener, places, ledgers, other);
  }
}
