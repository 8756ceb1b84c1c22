// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that share a cache need the same files at the same time. */
class CacheProcessesTest {

  private static final int PROCESSES = 2;
  private static final int ROUNDS = 2;
  private static final int COMMITS = 6;
  private static final int ROWS = 200;

  @TempDir private Path root;
  @TempDir private Path caches;

  /** Takes the location of the store and the caches; asks once with each, when it is told to. */
  public static void main(String[] arguments) throws IOException {
    ParentLink parent = new ParentLink();
    try (ObjectStore store = ObjectStore.open(arguments[0])) {
      parent.awaitStart();
      for (int round = 0; round < ROUNDS; round++) {
        Path cache = Path.of(arguments[1], "" + round);
        while (!Files.exists(cache)) {
          Thread.onSpinWait();
        }
        LedgerOptions options =
            LedgerFixture.options()
                .withQueries(LedgerFixture.QUERIES.withCache(cache).withReplica(Replication.NONE));
        try (Ledger ledger = Ledger.open(store, "", options)) {
          long rows = ledger.query().entities(Customer.class).history().count();
          long ages = ledger.query().entities(Customer.class).history().sum("age").asLong();
          parent.printLine(rows + " rows, " + ages);
        }
      }
    }
  }

  @Test
  void eachFileIsThereOnceAndWholeWhoeverFetchedIt() throws IOException {
    TreeSet<String> hashes = new TreeSet<>();
    try (ObjectStore store = ObjectStore.open(root.toString())) {
      new LedgerInitializer(store, "").init();
      try (Ledger ledger = Ledger.open(store, "", LedgerFixture.options());
          Session session = ledger.session(RecordType.of(Customer.class))) {
        for (int commit = 0; commit < COMMITS; commit++) {
          List<Record> rows = new ArrayList<>();
          for (int n = 0; n < ROWS; n++) {
            rows.add(Customer.of("c" + n, commit));
          }
          session.ensure(rows).commit();
        }
      }
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).toList()) {
        hashes.add(LedgerFixture.sha256(Files.readAllBytes(file)) + ".parquet");
      }
    }
    assertThat(hashes).hasSize(COMMITS);

    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int n = 0; n < PROCESSES; n++) {
        children.add(ChildJvm.start(CacheProcessesTest.class, root.toString(), caches.toString()));
      }
      for (ChildJvm child : children) {
        child.expectLine("ready").send("go");
      }
      for (int round = 0; round < ROUNDS; round++) {
        Path cache = Files.createDirectory(caches.resolve("" + round)); // off they go
        for (ChildJvm child : children) {
          child.expectLine(
              "%d rows, %d".formatted(COMMITS * ROWS, ROWS * COMMITS * (COMMITS - 1) / 2));
        }
        try (Stream<Path> files = Files.walk(cache)) {
          assertThat(files.filter(Files::isRegularFile).toList())
              .extracting(file -> file.getFileName().toString())
              .filteredOn(name -> !name.endsWith(".lock") && !name.startsWith("duckdb_java"))
              .containsExactlyInAnyOrderElementsOf(hashes);
        }
        for (String name : hashes) {
          try (Stream<Path> files = Files.walk(cache)) {
            Path copy = files.filter(f -> f.endsWith(name)).findFirst().orElseThrow();
            assertThat(LedgerFixture.sha256(Files.readAllBytes(copy)) + ".parquet").isEqualTo(name);
          }
        }
      }
    } finally {
      children.forEach(ChildJvm::close);
    }
  }
}
