// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread that is interrupted while it reads is told so, and nobody else notices. */
class InterruptedReaderTest {

  private static final int ROWS = 60;

  @TempDir private Path cache;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());

  /** Two files of more than a megabyte, which wait on the disk while others are read. */
  @BeforeEach
  void commitLargeFiles() {
    Random random = new Random(5);
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int commit = 1; commit <= 2; commit++) {
        List<Record> customers = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          customers.add(customer("c" + i, commit, random));
        }
        session.ensure(customers).commit();
      }
    }
    ledger.close();
  }

  @AfterEach
  void close() {
    boolean unused = Thread.interrupted();
    fixture.close();
  }

  private static Customer customer(String id, long age, Random random) {
    StringBuilder name = new StringBuilder();
    random.ints(30_000, ' ', '~').forEach(c -> name.append((char) c));
    return new Customer(id, name.toString(), age, Optional.empty(), "Gold", true);
  }

  private Queries queries(QuerySettings settings) {
    return fixture.open(LedgerFixture.options().withQueries(settings.withCache(cache))).query();
  }

  @Test
  void rowByRow() {
    Queries queries = queries(LedgerFixture.QUERIES.withEngine(Engine.SCAN));

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> queries.entities(Customer.class).count())
        .isInstanceOf(TidemarkException.class)
        .hasMessageContainingAll("Customer.parquet", "broke off");
    assertThat(Thread.interrupted()).isTrue();

    assertThat(queries.entities(Customer.class).count()).isEqualTo(ROWS);
  }

  @Test
  void onFilesAndOnAReplica() {
    for (Replication replica : List.of(Replication.NONE, Replication.KEPT)) {
      Queries queries = queries(LedgerFixture.QUERIES.withReplica(replica));

      Thread.currentThread().interrupt();
      try {
        assertThat(queries.entities(Customer.class).count()).isEqualTo(ROWS);
      } catch (TidemarkException e) {
        assertThat(e).hasMessageContaining("interrupted");
      }
      assertThat(Thread.interrupted()).isTrue();

      assertThat(queries.entities(Customer.class).count()).isEqualTo(ROWS);
      assertThat(queries.entities(Customer.class).explain().engine())
          .isEqualTo(replica == Replication.KEPT ? "duckdb on a replica" : "duckdb on files");
    }
  }
}
