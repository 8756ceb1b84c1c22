// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.CrashLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes write at once, and one of them is killed again and again. */
abstract class WritingProcessesContract {

  private static final int COMMITS = 15;
  private static final int KILLS = Boolean.getBoolean("soak") ? 40 : 3;
  private static final int MOST_LINES = 5;
  private static final long SHORT_LEASE = 2;

  /** Longer than a machine is ever busy with other tests. */
  private static final Duration SLACK = Duration.ofMinutes(2);

  /** The place of this test as {@link ObjectStore#open} takes it. */
  abstract String location();

  /** System properties that another process needs to open that location. */
  Map<String, String> childProperties() {
    return Map.of();
  }

  /** Opens that location in this process. */
  abstract ObjectStore open();

  @BeforeEach
  void init() {
    try (ObjectStore store = open()) {
      new LedgerInitializer(store, "").init();
    }
  }

  private ChildJvm child(String name, long commits, long leaseSeconds) {
    return ChildJvm.start(
        childProperties(),
        WriterWorker.class,
        location(),
        name,
        String.valueOf(commits),
        String.valueOf(leaseSeconds));
  }

  @Test
  void twoProcessesGetAllTheirCommitsIn() {
    AcknowledgedCommits acknowledgedCommits = new AcknowledgedCommits();
    try (ChildJvm one = child("one", COMMITS, 30);
        ChildJvm two = child("two", COMMITS, 30)) {
      one.expectLine("ready");
      two.expectLine("ready");
      one.send("go");
      two.send("go");
      learn(acknowledgedCommits, one.linesToEnd());
      learn(acknowledgedCommits, two.linesToEnd());
    }
    assertThat(acknowledgedCommits.told()).hasSize(2 * COMMITS);
    try (ObjectStore store = open()) {
      acknowledgedCommits.matches(store);
    }
  }

  @Test
  void whatAKilledProcessWasToldIsKept_G10_G11() throws Exception {
    Seed seed = Seed.of("whatAKilledProcessWasToldIsKept");
    AcknowledgedCommits acknowledgedCommits = new AcknowledgedCommits();
    try (ObjectStore store = open();
        ChildJvm lasting = child("lasting", Long.MAX_VALUE, SHORT_LEASE)) {
      lasting.expectLine("ready").send("go");
      new CrashLoop(seed.random(), MOST_LINES)
          .run(
              KILLS,
              round -> child("killed" + round, Long.MAX_VALUE, SHORT_LEASE),
              (round, lines) -> {
                learn(acknowledgedCommits, lines);
                acknowledgedCommits.isKept(store);
              });
      learn(acknowledgedCommits, List.of(lasting.nextLine().orElseThrow()));
      learn(acknowledgedCommits, lasting.kill());
      acknowledgedCommits.isKept(store);
      writesAfterALease(store);
    }
  }

  /** The lock of the dead holds nobody up for longer than its lease. */
  private static void writesAfterALease(ObjectStore store) {
    long start = System.nanoTime();
    try (Ledger ledger = Ledger.open(store, "", WritersContract.patient("last"))) {
      WriterOperation.writeThree(ledger, "last", 1);
      ledger.flush();
      assertThat(ledger.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT))
          .matches(IndexMaintenance.Report::ok);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isLessThan(Duration.ofSeconds(SHORT_LEASE).plus(SLACK));
  }

  private static void learn(AcknowledgedCommits acknowledgedCommits, List<String> lines) {
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      acknowledgedCommits.add(
          new AcknowledgedCommits.AcknowledgedCommit(
              Long.parseLong(words[0]), words[1], Long.parseLong(words[2])),
          0);
    }
  }
}
