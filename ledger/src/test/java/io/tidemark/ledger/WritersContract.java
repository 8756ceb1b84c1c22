// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.Race;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several writers at once: every commit gets an id of its own without gaps, all of them get theirs
 * in, and what is there in the end is what the last ones said.
 */
abstract class WritersContract {

  /**
   * Nobody should have to wait for so long; far above what it takes on an idle machine, which is
   * half a second, so that only who is passed over for ever waits for longer.
   */
  static final Duration BUDGET = Duration.ofSeconds(60);

  private static final int TURNS = 5;

  private final List<ObjectStore> stores = new CopyOnWriteArrayList<>();

  /** Opens the place of this test once more. */
  abstract ObjectStore open();

  /** How many commits each writer makes. */
  abstract int rounds();

  /** Which identities writers write. */
  enum Rows {
    DISJOINT,
    OVERLAPPING;

    String key(int writer, int round) {
      return this == DISJOINT ? "w" + writer + "-" + round : "shared" + round % 2;
    }
  }

  @BeforeEach
  void init() {
    new LedgerInitializer(store(), "").init();
  }

  @AfterEach
  void closeAll() {
    stores.forEach(ObjectStore::close);
  }

  final ObjectStore store() {
    ObjectStore store = open();
    stores.add(store);
    return store;
  }

  static LedgerOptions patient(String runtimeId) {
    WriterSettings usual = WriterSettings.standard();
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                runtimeId,
                usual.leaseTtl(),
                BUDGET,
                usual.idleAfter(),
                new Retry(
                    BUDGET, Duration.ofMillis(10), Duration.ofMillis(500), MonotonicTime.system()),
                usual.time()));
  }

  @ParameterizedTest
  @CsvSource({
    "2, DISJOINT",
    "4, DISJOINT",
    "8, DISJOINT",
    "2, OVERLAPPING",
    "4, OVERLAPPING",
    "8, OVERLAPPING"
  })
  void writersWithALedgerEachAllGetTheirCommitsIn(int writers, Rows rows) throws Exception {
    AcknowledgedCommits acknowledgedCommits = new AcknowledgedCommits();
    Race.run(
        writers,
        writer -> {
          try (Ledger ledger = Ledger.open(store(), "", patient("writer" + writer))) {
            write(ledger, writer, rows, acknowledgedCommits);
          }
          return writer;
        });
    check(writers, acknowledgedCommits);
  }

  @ParameterizedTest
  @CsvSource({"2, DISJOINT", "8, DISJOINT", "4, OVERLAPPING", "8, OVERLAPPING"})
  void writersThatShareALedgerAllGetTheirCommitsIn(int writers, Rows rows) throws Exception {
    AcknowledgedCommits acknowledgedCommits = new AcknowledgedCommits();
    try (Ledger ledger = Ledger.open(store(), "", patient("shared"))) {
      Race.run(
          writers,
          writer -> {
            write(ledger, writer, rows, acknowledgedCommits);
            return writer;
          });
    }
    check(writers, acknowledgedCommits);
  }

  @Test
  void whoComesLaterGetsItsTurnWhileAnotherNeverPauses() throws Exception {
    AcknowledgedCommits acknowledgedCommits = new AcknowledgedCommits();
    AtomicBoolean enough = new AtomicBoolean();
    AtomicLong busy = new AtomicLong();
    Race.run(
        2,
        writer -> {
          try (Ledger ledger = Ledger.open(store(), "", patient("writer" + writer));
              Session session = ledger.session(RecordType.of(Customer.class))) {
            if (writer == 0) {
              for (long i = 0; !enough.get(); i++) {
                acknowledgedCommits.write(session, "busy", i);
                busy.incrementAndGet();
              }
              return writer;
            }
            try {
              AwaitCondition.isTrue("the other is busy", () -> busy.get() > 10);
              for (int i = 0; i < TURNS; i++) {
                acknowledgedCommits.write(session, "visitor", i);
              }
            } finally {
              enough.set(true);
            }
            return writer;
          }
        });
    assertThat(acknowledgedCommits.longestMillis())
        .as("the longest wait")
        .isLessThan(BUDGET.toMillis());
    acknowledgedCommits.matches(store());
  }

  private void write(
      Ledger ledger, int writer, Rows rows, AcknowledgedCommits acknowledgedCommits) {
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int round = 0; round < rounds(); round++) {
        acknowledgedCommits.write(session, rows.key(writer, round), writer * 1_000L + round);
      }
    }
  }

  private void check(int writers, AcknowledgedCommits acknowledgedCommits) {
    assertThat(acknowledgedCommits.told()).hasSize(writers * rounds());
    assertThat(acknowledgedCommits.longestMillis())
        .as("the longest wait")
        .isLessThan(BUDGET.toMillis());
    acknowledgedCommits.matches(store());
  }
}
