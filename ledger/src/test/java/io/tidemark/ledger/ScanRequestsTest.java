// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.ForwardingBackend;
import io.tidemark.testkit.objects.RequestLatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many round trips it takes to read a type that has many files, and what it hands on. */
class ScanRequestsTest {

  private static final int AT_ONCE = 16;

  private final Together together = new Together(new MemoryBackend());
  private final LedgerFixture fixture = new LedgerFixture(together);

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Answers reads of data files only when so many have been asked for, and counts the answers. */
  private static final class Together extends ForwardingBackend {
    private static final long LIMIT_SECONDS = 120;

    private final AtomicInteger roundTrips = new AtomicInteger();
    private final AtomicInteger under = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicLong oldest = new AtomicLong();
    private volatile String end = ".parquet";
    private volatile CyclicBarrier barrier = new CyclicBarrier(1);

    Together(ObjectBackend wrapped) {
      super(wrapped);
    }

    void expect(int reads) {
      barrier = new CyclicBarrier(reads, roundTrips::incrementAndGet);
      roundTrips.set(0);
      most.set(0);
      this.reads.set(0);
      oldest.set(Long.MAX_VALUE);
    }

    /** Of the objects that were read. */
    long oldestCommit() {
      return oldest.get();
    }

    private static long commit(String key) {
      int start = key.indexOf("commits/") + "commits/".length();
      return Long.parseLong(key.substring(start, key.indexOf('-', start)));
    }

    /** From now on it is about objects whose keys end so, which are answered at once. */
    void count(String keyEnd) {
      expect(1);
      end = keyEnd;
    }

    @Override
    public ReadResult<Content> get(String key, Optional<ETag> known) {
      if (!key.endsWith(end)) {
        return super.get(key, known);
      }
      reads.incrementAndGet();
      oldest.accumulateAndGet(commit(key), Math::min);
      most.accumulateAndGet(under.incrementAndGet(), Math::max);
      try {
        barrier.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        return super.get(key, known);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      } catch (BrokenBarrierException | TimeoutException e) {
        throw new IllegalStateException("fewer reads at the same time than expected", e);
      } finally {
        under.decrementAndGet();
      }
    }
  }

  /** As many files of one row each. */
  private void write(int files) {
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = 1; i <= files; i++) {
        session.ensure(Customer.of("c" + i, i)).commit();
      }
    }
    ledger.close();
  }

  @Test
  void aTypeOfManyFilesIsReadInAFractionOfAsManyRoundTrips() {
    write(5 * AT_ONCE);
    Ledger ledger = fixture.open();
    together.expect(AT_ONCE);

    List<Long> commits = new ArrayList<>();
    ledger.reader().history(Models.CUSTOMER, 0, row -> commits.add(row.commitId()));

    assertThat(together.roundTrips).hasValue(5);
    assertThat(together.most).hasValue(AT_ONCE);
    assertThat(commits).hasSize(5 * AT_ONCE).isSorted();
  }

  @Test
  void soDoesAWriterThatReadsThemToCompare() {
    write(3 * AT_ONCE);
    Ledger ledger = fixture.open();
    together.expect(AT_ONCE);

    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      assertThat(session.ensure(Customer.of("c7", 7)).commit()).isEmpty();
    }

    assertThat(together.roundTrips).hasValue(3);
    assertThat(together.most).hasValue(AT_ONCE);
  }

  @Test
  void aFileThatIsBrokenIsNamedAfterTheRowsBeforeItAndNoneBehindIt() {
    write(20);
    String path =
        fixture.paths("commits/").stream()
            .filter(found -> found.startsWith("commits/9-") && found.endsWith(".parquet"))
            .findFirst()
            .orElseThrow();
    fixture.write(path, "no Parquet");
    List<Long> commits = new ArrayList<>();

    assertThatThrownBy(
            () ->
                fixture
                    .open()
                    .reader()
                    .history(Models.CUSTOMER, 0, row -> commits.add(row.commitId())))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining(path);
    assertThat(commits).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void filesThatAreTooLargeToWaitInMemoryAreReadInTheirOrderToo() {
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = 1; i <= 6; i++) {
        String name = i % 2 == 0 ? incompressible(3 << 20) : "small";
        session.ensure(new Customer("c" + i, name, i, Optional.empty(), "t", true)).commit();
      }
    }
    ledger.close();
    List<Long> commits = new ArrayList<>();
    together.count(".parquet");
    fixture.open().reader().history(Models.CUSTOMER, 0, row -> commits.add(row.commitId()));
    assertThat(commits).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(together.reads).as("each is asked for once").hasValue(6);
  }

  private CompletableFuture<Integer> counted(
      Function<Ledger, Integer> work, RequestLatch requestLatch, String key) {
    FaultyBackend faulty = new FaultyBackend(together);
    faulty.next(
        (operation, about) -> about.contains(key) && about.endsWith(together.end),
        BackendFault.hold(requestLatch));
    return CompletableFuture.supplyAsync(
        () -> {
          try (LedgerFixture slow = new LedgerFixture(faulty)) {
            return work.apply(slow.open());
          }
        });
  }

  @Test
  void theFilesBeforeAnOldCommitAreReadManyAtATimeTheMoreTheLongerItTakes() {
    write(60); // of which the last is compared with all others
    RequestLatch requestLatch = new RequestLatch();
    together.count(".parquet");
    CompletableFuture<Integer> changes =
        counted(
            ledger -> {
              List<IdentityChange> all = new ArrayList<>();
              ledger.log().changes(60, all::add);
              return all.size();
            },
            requestLatch,
            "commits/40-");
    requestLatch.awaitArrival();

    AwaitCondition.isTrue(
        "some behind it are read", () -> together.reads.get() >= 60 - 40 + AT_ONCE - 1);
    requestLatch.open();

    assertThat(changes.join()).isEqualTo(1);
    assertThat(together.reads).hasValue(60);
  }

  @Test
  void aVersionThatIsFoundAtOnceCostsNoReadingOfOlderOnes() {
    write(20);
    Ledger ledger = fixture.open();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c20", 7)).commit();
    }
    together.count(".parquet");

    List<IdentityChange> all = new ArrayList<>();
    ledger.log().changes(21, all::add);

    assertThat(all).singleElement().matches(identityChange -> identityChange.before().isPresent());
    assertThat(together.reads).hasValue(2);
  }

  @Test
  void aLogIsReadManyCommitsAtATime() {
    write(100);
    RequestLatch requestLatch = new RequestLatch();
    together.count("manifest.json");
    CompletableFuture<Integer> log =
        counted(ledger -> (int) ledger.log().newestFirst(0).count(), requestLatch, "commits/80-");
    requestLatch.awaitArrival();

    AwaitCondition.isTrue("some behind it are read", () -> together.oldestCommit() < 80);
    requestLatch.open();

    assertThat(log.join()).isEqualTo(100);
    assertThat(together.reads).as("each once").hasValue(100);
  }

  @Test
  void soIsAChainThatAnIndexIsMadeFromAnew() {
    write(100);
    fixture.delete("meta/indices/entities/Customer.json");
    RequestLatch requestLatch = new RequestLatch();
    together.count("manifest.json");
    CompletableFuture<Integer> count =
        counted(
            ledger -> (int) ledger.reader().count(Models.CUSTOMER), requestLatch, "commits/50-");
    requestLatch.awaitArrival();

    AwaitCondition.isTrue("some behind it are read", () -> together.oldestCommit() < 50);
    requestLatch.open();

    assertThat(count.join()).isEqualTo(100);
    assertThat(together.reads).as("each once").hasValue(100);
  }

  @Test
  void aShortLogReadsNoMoreThanItShows() {
    write(100);
    together.count("manifest.json");
    Ledger ledger = fixture.open();

    assertThat(ledger.log().newestFirst(0).limit(10)).hasSize(10);

    assertThat(together.reads).hasValue(10);
  }

  private static String incompressible(int length) {
    StringBuilder text = new StringBuilder(length);
    new Random(1).ints(length, '0', 'z').forEach(c -> text.append((char) c));
    return text.toString();
  }
}
