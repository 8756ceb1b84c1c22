// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;
import java.time.Duration;

/** A process that writes customers, and prints a line of each commit when it has it. */
final class WriterWorker {

  private WriterWorker() {}

  /**
   * Takes the location of the store, a name that no other run has, how many commits it makes, and
   * how many seconds its lease lasts.
   */
  public static void main(String[] arguments) throws IOException {
    ParentLink parent = new ParentLink();
    String name = arguments[1];
    long commits = Long.parseLong(arguments[2]);
    try (ObjectStore store = ObjectStore.open(arguments[0]);
        Ledger ledger = Ledger.open(store, "", options(name, Long.parseLong(arguments[3])));
        Session session = ledger.session(RecordType.of(Customer.class))) {
      parent.awaitStart();
      for (long i = 1; i <= commits; i++) {
        String key = i % 2 == 0 ? "shared" : name + "-" + i;
        long age = Math.floorMod((name + i).hashCode(), 1_000_000);
        Commit commit = session.ensure(Customer.of(key, age)).commit().orElseThrow();
        parent.printLine(commit.id() + " " + key + " " + age);
      }
    }
  }

  private static LedgerOptions options(String name, long leaseSeconds) {
    WriterSettings usual = WritersContract.patient(name).writer();
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                name,
                Duration.ofSeconds(leaseSeconds),
                usual.lockTimeout(),
                usual.idleAfter(),
                usual.retry(),
                usual.time()));
  }
}
