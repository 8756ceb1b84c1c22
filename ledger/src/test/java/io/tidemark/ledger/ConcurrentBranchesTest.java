// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.BranchContract.ages;
import static io.tidemark.ledger.BranchContract.ensure;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.MergeOutcome.Merged;
import io.tidemark.ledger.internal.branch.UnknownBranchException;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.MemoryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Decision 11 and F32 while several do things to branches at the same time. */
class ConcurrentBranchesTest {

  private static final BranchName DEV = new BranchName("dev");

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    threads.shutdownNow();
    fixture.close();
  }

  private List<Future<Integer>> start(List<Callable<Integer>> work) {
    return work.stream().map(threads::submit).toList();
  }

  @Test
  void writersOfTwoBranchesDontWaitForEachOther() throws Exception {
    Ledger main = fixture.init();
    ensure(main, Customer.of("c0", 0));
    main.branches().create(DEV);
    Ledger dev = fixture.open(DEV);
    List<Callable<Integer>> work = new ArrayList<>();
    for (Ledger ledger : List.of(main, dev)) {
      work.add(
          () -> {
            for (int i = 1; i <= 20; i++) {
              ensure(ledger, Customer.of("c" + i, i), Customer.of(ledger == main ? "m" : "d", i));
            }
            return 20;
          });
    }
    for (Future<Integer> each : start(work)) {
      assertThat(each.get()).isEqualTo(20);
    }

    assertThat(main.log().head()).contains(21L);
    assertThat(dev.log().head()).contains(21L);
    assertThat(ages(main)).hasSize(22).contains("m=20").doesNotContain("d=20");
    assertThat(ages(dev)).hasSize(22).contains("d=20").doesNotContain("m=20");
    assertThat(main.merge(DEV, ConflictResolution.REFUSE).apply(Map.of()))
        .isInstanceOf(Merged.class);
    assertThat(ages(main)).hasSize(23).contains("m=20", "d=20");
  }

  @Test
  void ofManyWhoMakeABranchOfOneNameOneDoes() throws Exception {
    Ledger main = fixture.init();
    for (int i = 1; i <= 4; i++) {
      ensure(main, Customer.of("c", i));
    }
    List<Future<CreateResult>> tries = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      int at = i;
      Ledger other = fixture.open();
      tries.add(threads.submit(() -> other.branches().createAt(DEV, at)));
    }
    long made = 0;
    for (Future<CreateResult> each : tries) {
      made += each.get() instanceof CreateResult.Created ? 1 : 0;
    }

    assertThat(made).isEqualTo(1);
    Ledger dev = fixture.open(DEV);
    assertThat(ages(dev)).containsExactly("c=" + dev.log().head().orElseThrow());
  }

  @Test
  void aMergeIsJudgedOnTheHeadItReplaces() throws Exception {
    Ledger main = fixture.init();
    ensure(main, Customer.of("c", 0), Customer.of("x", 0));
    main.branches().create(DEV);
    Ledger dev = fixture.open(DEV);
    Future<Integer> writer =
        threads.submit(
            () -> {
              for (int i = 1; i <= 40; i++) {
                ensure(main, Customer.of("c", i));
              }
              return 40;
            });
    Ledger other = fixture.open();
    for (int i = 1; i <= 10; i++) {
      ensure(dev, Customer.of("x", i));
      assertThat(other.merge(DEV, ConflictResolution.REFUSE).apply(Map.of())).isNotNull();
      assertThat(ages(fixture.open())).contains("x=" + i);
    }

    assertThat(writer.get()).isEqualTo(40);
    assertThat(ages(fixture.open())).containsExactly("c=40", "x=10");
  }

  @Test
  void f32_noCommitOfABranchIsTakenWhileBranchesComeAndGo() throws Exception {
    Duration age = Duration.ofSeconds(2);
    fixture.initialiser().init();
    Ledger main = fixture.openWithLease(age);
    ensure(main, Customer.of("c", 1));
    AtomicBoolean done = new AtomicBoolean();
    Future<Integer> collector =
        threads.submit(
            () -> {
              int taken = 0;
              while (!done.get()) {
                List<OrphanCollector.Orphan> found = main.orphans().find(age);
                found.forEach(main.orphans()::delete);
                taken += found.size();
              }
              return taken;
            });
    for (int i = 0; i < 12; i++) {
      BranchName source = new BranchName("source" + i);
      BranchName copy = new BranchName("copy" + i);
      main.branches().create(source);
      Ledger ledger = fixture.open(source);
      ensure(ledger, Customer.of("c", i + 2));
      Future<Boolean> drop = threads.submit(() -> main.branches().drop(source));
      boolean made = tryCreate(ledger, copy);
      assertThat(drop.get()).isTrue();
      if (made) {
        List<Long> commits = new ArrayList<>();
        Ledger kept = fixture.open(copy);
        kept.log().newestFirst(0).forEach(commit -> commits.add(commit.id()));
        assertThat(commits).endsWith(1L);
      }
    }
    AwaitCondition.isTrue(
        "the notes of all drops are taken",
        () -> fixture.paths("branches/").stream().noneMatch(p -> p.contains("/dropped/")));
    done.set(true);

    assertThat(collector.get()).isGreaterThanOrEqualTo(12);
    for (var branch : main.branches().list()) {
      assertThat(ages(fixture.open(branch.name()))).hasSize(1);
    }
  }

  private static boolean tryCreate(Ledger source, BranchName copy) {
    try {
      return source.branches().create(copy) instanceof CreateResult.Created;
    } catch (UninitializedLedgerException | UnknownBranchException | BranchRefusedException e) {
      return false; // the source went first
    }
  }
}
