// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.names.NamesOptions;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.named.NamedLedgers;
import io.tidemark.names.Address;
import java.util.function.ToIntFunction;

/** The ledger that a verb is about, open for as long as the verb works with it. */
final class OpenLedger {

  private static final String RUNTIME = "tidemark-cli";

  private OpenLedger() {}

  static int with(NamesOptions options, Address address, ToIntFunction<Ledger> work) {
    return with(options, address, settings(), work);
  }

  static int with(
      NamesOptions options, Address address, LedgerOptions settings, ToIntFunction<Ledger> work) {
    return options.with(
        names -> {
          try (NamedLedgers.Opened opened = new NamedLedgers(names).open(address, settings)) {
            return work.applyAsInt(opened.ledger());
          }
        });
  }

  static LedgerOptions settings() {
    WriterSettings standard = WriterSettings.standard();
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                RUNTIME,
                standard.leaseTtl(),
                standard.lockTimeout(),
                standard.idleAfter(),
                standard.retry(),
                standard.time()));
  }
}
