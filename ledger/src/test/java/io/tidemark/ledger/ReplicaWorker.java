// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A process that asks a ledger by a replica, again and again, and every other time by a new one.
 */
final class ReplicaWorker {

  private ReplicaWorker() {}

  /** Takes the location of the store and the cache. */
  public static void main(String[] arguments) throws IOException {
    ParentLink parent = new ParentLink();
    LedgerOptions options = ReplicaProcessesTest.options(Path.of(arguments[1]));
    try (ObjectStore store = ObjectStore.open(arguments[0])) {
      parent.awaitStart();
      for (int round = 0; true; round++) {
        if (round % 2 == 1) {
          forget(Path.of(arguments[1]));
        }
        try (Ledger ledger = Ledger.open(store, "", options)) {
          long rows = ledger.query().entities(Customer.class).count();
          String engine = ledger.query().entities(Customer.class).explain().engine();
          parent.printLine(rows + " " + engine);
        }
      }
    }
  }

  private static void forget(Path cache) throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      for (Path file : files.filter(file -> file.toString().contains(".duckdb")).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
