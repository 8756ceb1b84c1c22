// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.cli.terminal.Plural;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.internal.verify.Verification;
import io.tidemark.ledger.internal.verify.VerificationReport;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Check of a sample of the files of some ledgers, to find damage before a query does. */
final class LedgersCheck {

  private static final int LEDGERS = 20;
  private static final int COMMITS = 32;

  private LedgersCheck() {}

  /** Returns one finding for all ledgers that are intact, and one for each that isn't. */
  static List<Diagnosis> of(NameService names, Random random) {
    List<Address> ledgers = ledgers(names);
    Collections.shuffle(ledgers, random);
    List<Diagnosis> found = new ArrayList<>();
    long files = 0;
    int intact = 0;
    for (Address each : ledgers.subList(0, Math.min(LEDGERS, ledgers.size()))) {
      try {
        Optional<VerificationReport> report = sample(names, each, random);
        if (report.filter(known -> !known.ok()).isPresent()) {
          found.add(damaged(each, report.get()));
        } else if (report.isPresent()) {
          intact++;
          files += report.get().progress().files() + report.get().progress().snapshots();
        }
      } catch (TidemarkException e) {
        found.add(failure(each, String.valueOf(e.getMessage())));
      }
    }
    if (intact > 0) {
      found.add(
          0,
          Diagnosis.ok(
              "ledgers",
              "sampled %s of %s, intact"
                  .formatted(Plural.of(files, "file"), Plural.of(intact, "ledger"))));
    }
    return found;
  }

  /** Returns the ledgers whose records can be read; {@link RecordsCheck} reports the others. */
  private static List<Address> ledgers(NameService names) {
    List<Address> found = new ArrayList<>();
    RecordScan.of(names, RecordFilter.all().ofKind(RecordKind.LEDGER)).read().stream()
        .filter(record -> !record.meta().retracted())
        .map(NameRecord::address)
        .filter(address -> address.branch().equals(Address.MAIN))
        .forEachOrdered(found::add);
    return found;
  }

  /**
   * Verifies a sample; empty for a name without a ledger, such as a collection or a ledger that
   * isn't initialised yet.
   */
  private static Optional<VerificationReport> sample(
      NameService names, Address address, Random random) {
    try (NamedLedgers.LedgerLocation ledgerLocation = new NamedLedgers(names).location(address)) {
      return Optional.of(new Verification(ledgerLocation.objects(address)).sample(COMMITS, random))
          .filter(report -> report.progress().commits() > 0 || !report.ok());
    } catch (UninitializedLedgerException | NotFoundException e) {
      return Optional.empty();
    }
  }

  private static Diagnosis damaged(Address address, VerificationReport report) {
    return failure(
        address,
        report.progress().damaged() + " damaged in a sample: " + report.first().get(0).text());
  }

  private static Diagnosis failure(Address address, String detail) {
    return Diagnosis.failure(
        "ledger " + address,
        detail,
        "run 'tidemark verify " + address + " --deep', and restore what it names from a copy");
  }
}
