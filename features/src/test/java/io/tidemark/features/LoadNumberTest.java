// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A load ends with a transaction number that it took long before; decisions 10 and 12, case E7. */
@ExtendWith(ServerExtension.class)
class LoadNumberTest {

  private final TestStorage storage;
  private final TransactionLog log;

  LoadNumberTest(PostgresServer server) {
    storage = TestStorage.in(server);
    log = storage.features.log();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private long number(String sql) {
    try {
      return storage.psql.number(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Writes the next as soon as the one before has its number, so that there is always one. */
  private void keepBusy(AtomicInteger written, AtomicBoolean ended) {
    while (!ended.get()) {
      String id = "m" + written.get();
      storage.features.transact(
          ALICE,
          tx -> {
            tx.message(id, null, null);
            return id;
          });
      written.incrementAndGet();
      await(() -> log.byMessage(id, 1).get(0).numbered() != null);
    }
  }

  @Test
  void itIsNumberedThoughItsDayIsSettledAndTheSequencerIsBusy(@TempDir Path directory)
      throws Exception {
    Path file = Files.writeString(directory.resolve("f.geojsonl"), "{\"id\": \"f\"}\n");
    String c = storage.small();
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    SequencerOptions quick = SequencerOptions.defaults().polling(Duration.ofMillis(200));
    try (Sequencer sequencer = log.startSequencer(quick)) {
      CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> keepBusy(written, ended));
      LoadReport report =
          storage
              .features
              .bulk()
              .load(ALICE, c, Input.of(file), LoadOptions.standard())
              .run(
                  progress -> {
                    if (progress.phase() == Phase.ATTACH) {
                      long last = number("SELECT last_value FROM naksha_tx_object_id_seq");
                      await(() -> number("SELECT settled FROM naksha_sequencer") > last);
                    }
                  });
      String own = "SELECT coalesce(max(seq_number), 0) FROM naksha_tx WHERE txn = " + report.txn();
      int before = written.get();
      await(() -> number(own) > 0);
      assertThat(number(own)).isGreaterThan(before);
      ended.set(true);
      writing.join();
      // One made the collection, and one is the load.
      int all = 2 + written.get();
      await(() -> log.lastNumber() == all);
      assertThat(log.fromNumber(1, all + 10))
          .extracting(LoggedTransaction::number)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, all).boxed().toList());
      assertThat(sequencer.status().failure()).isNull();
    }
    List<Long> numbers =
        storage
            .psql
            .values("SELECT number FROM naksha_heads WHERE collection = '%s'".formatted(c))
            .stream()
            .map(Long::valueOf)
            .toList();
    assertThat(numbers)
        .containsExactly(number("SELECT max(seq_number) FROM naksha_tx WHERE action <> 'MESSAGE'"));
  }
}
