// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.commit.WritingStoppedException;
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
          try (StopOnSignal signal = new StopOnSignal()) {
            NamedLedgers ledgers = new NamedLedgers(names);
            try (NamedLedgers.Opened opened = ledgers.open(address, settings)) {
              return work.applyAsInt(signal.watch(opened.ledger()));
            } catch (WritingStoppedException e) {
              // Said here because the process waits for it here, and no longer.
              options.err().println("tidemark: " + e.getMessage());
              options.err().flush();
              return ExitCodes.FAILED;
            }
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
