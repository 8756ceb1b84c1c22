// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static io.tidemark.remotes.NoteTypes.author;
import static io.tidemark.remotes.NoteTypes.note;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tidemark.ledger.OrphanCollector.Orphan;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.remotes.transfer.TransferOutcome;
import io.tidemark.remotes.transfer.TransferOutcome.Created;
import io.tidemark.remotes.transfer.TransferOutcome.Diverged;
import io.tidemark.remotes.transfer.TransferOutcome.FastForwarded;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Others act before each request of a push in turn, or at the same time. */
class TransferRaceTest {

  private static SiteEnvironment twoClones() {
    SiteEnvironment siteEnvironment = new SiteEnvironment();
    Site there = siteEnvironment.site("there");
    there.init("crm");
    there.commit("crm", note("n1", "one"), author("a1"));
    siteEnvironment.site("here").cloneOf(there, "crm");
    siteEnvironment.site("rival").cloneOf(there, "crm");
    siteEnvironment.site("here").commit("crm", note("h1", "ours"));
    siteEnvironment.site("here").commit("crm", note("h2", "ours"));
    siteEnvironment.site("rival").commit("crm", note("r1", "the rival's"));
    return siteEnvironment;
  }

  /** A push in which something else happens before one of the requests to the other store. */
  private static void beforeEachRequest(
      SiteEnvironment before, Consumer<SiteEnvironment> event, Consumer<Ended> check) {
    preparedBeforeEachRequest(
        before, siteEnvironment -> () -> event.accept(siteEnvironment), check);
  }

  /** The same with something that is prepared before the push. */
  private static void preparedBeforeEachRequest(
      SiteEnvironment before,
      Function<SiteEnvironment, Runnable> preparation,
      Consumer<Ended> check) {
    AtomicInteger happened = new AtomicInteger(1);
    for (int i = 1; happened.get() == 1; i++) {
      SiteEnvironment siteEnvironment = before.copy();
      Runnable event = preparation.apply(siteEnvironment);
      happened.set(0);
      CountDownLatch over = new CountDownLatch(1);
      FaultyBackend faulty = new FaultyBackend(siteEnvironment.backend("there"));
      AtomicInteger seen = new AtomicInteger();
      int nth = i;
      faulty.next(
          (operation, key) -> seen.incrementAndGet() == nth,
          BackendFault.runBefore(
              () -> {
                happened.set(1);
                event.run();
                over.countDown();
              }));
      try {
        TransferOutcome transferOutcome =
            siteEnvironment.site("here").push(siteEnvironment.site("there", faulty), "crm");
        if (happened.get() == 1) { // in a thread that nobody waits for, if it was a look ahead
          assertThat(over.await(1, TimeUnit.MINUTES)).isTrue();
        }
        check.accept(new Ended(siteEnvironment, transferOutcome, happened.get() == 1));
        siteEnvironment.site("there").isSound("crm");
      } catch (AssertionError | RuntimeException | InterruptedException e) {
        fail("before request " + i, e);
      }
    }
  }

  private record Ended(SiteEnvironment sea, TransferOutcome outcome, boolean disturbed) {}

  @Test
  void ofTwoClonesThatPushOneWinsAndTheOtherIsTold() {
    List<TransferOutcome> rivals = new ArrayList<>();
    beforeEachRequest(
        twoClones(),
        siteEnvironment ->
            rivals.add(siteEnvironment.site("rival").push(siteEnvironment.site("there"), "crm")),
        ended -> {
          Site winner =
              ended.outcome() instanceof FastForwarded
                  ? ended.sea().site("here")
                  : ended.sea().site("rival");
          assertThat(ended.outcome()).isInstanceOfAny(FastForwarded.class, Diverged.class);
          if (ended.disturbed()) {
            assertThat(rivals.get(rivals.size() - 1))
                .isInstanceOf(
                    ended.outcome() instanceof FastForwarded
                        ? Diverged.class
                        : FastForwarded.class);
          }
          assertThat(ended.sea().site("there").account("crm")).isEqualTo(winner.account("crm"));
        });
    assertThat(rivals).hasAtLeastOneElementOfType(Diverged.class);
    assertThat(rivals).hasAtLeastOneElementOfType(FastForwarded.class);
  }

  @Test
  void whoCommitsOnTheTargetMeanwhileLosesNothing() {
    beforeEachRequest(
        twoClones(),
        siteEnvironment -> siteEnvironment.site("there").commit("crm", note("t1", "made there")),
        ended -> {
          List<String> told = ended.sea().site("there").account("crm");
          assertThat(ended.outcome()).isInstanceOfAny(FastForwarded.class, Diverged.class);
          if (ended.disturbed()) {
            assertThat(told).anyMatch(line -> line.contains("made there"));
          }
          assertThat(told.stream().anyMatch(line -> line.contains("ours")))
              .isEqualTo(ended.outcome() instanceof FastForwarded);
        });
  }

  @Test
  void ofTwoThatPushTheSameOneFindsItDone() {
    beforeEachRequest(
        twoClones(),
        siteEnvironment -> siteEnvironment.site("here").push(siteEnvironment.site("there"), "crm"),
        ended -> {
          assertThat(ended.outcome())
              .isInstanceOfAny(FastForwarded.class, TransferOutcome.UpToDate.class);
          assertThat(ended.sea().site("there").account("crm"))
              .isEqualTo(ended.sea().site("here").account("crm"));
        });
  }

  @Test
  void ofTwoLedgersThatAreToBecomeTheSameOneDoes() {
    SiteEnvironment before = new SiteEnvironment();
    for (String name : List.of("here", "rival")) {
      before.site(name).init("crm");
      before.site(name).commit("crm", note("n1", "by " + name), author(name));
    }
    before.site("rival").commit("crm", new TransferContract.Declared("only the rival's"));
    List<TransferOutcome> rivals = new ArrayList<>();
    beforeEachRequest(
        before,
        siteEnvironment ->
            rivals.add(siteEnvironment.site("rival").push(siteEnvironment.site("there"), "crm")),
        ended -> {
          assertThat(ended.outcome()).isInstanceOfAny(Created.class, Diverged.class);
          Site winner =
              ended.outcome() instanceof Created
                  ? ended.sea().site("here")
                  : ended.sea().site("rival");
          if (ended.disturbed()) {
            assertThat(rivals.get(rivals.size() - 1))
                .isInstanceOf(ended.outcome() instanceof Created ? Diverged.class : Created.class);
          }
          // The other may have declared its types before it lost.
          assertThat(Site.committed(ended.sea().site("there").account("crm")))
              .isEqualTo(Site.committed(winner.account("crm")));
        });
  }

  @Test
  void whatWasLeftOfALongInterruptedPushIsNotCollectedUnderTheNextOne() {
    SiteEnvironment clones = twoClones();
    SiteEnvironment left = clones;
    SiteEnvironment next = clones;
    for (int i = 1; head(next) == 1; i++) {
      left = next; // in the end, all is there but the head
      next = interrupted(clones, i);
    }
    preparedBeforeEachRequest(
        left,
        siteEnvironment -> {
          siteEnvironment.clock().jump(Duration.ofDays(3));
          List<Orphan> old =
              siteEnvironment
                  .site("there")
                  .on("crm", ledger -> ledger.orphans().find(Duration.ofDays(1)));
          assertThat(old).hasSize(2);
          return () ->
              siteEnvironment
                  .site("there")
                  .with("crm", ledger -> old.forEach(ledger.orphans()::delete));
        },
        ended -> {
          assertThat(ended.outcome()).isInstanceOf(FastForwarded.class);
          assertThat(ended.sea().site("there").account("crm"))
              .isEqualTo(ended.sea().site("here").account("crm"));
        });
  }

  private static long head(SiteEnvironment siteEnvironment) {
    return siteEnvironment.site("there").on("crm", ledger -> ledger.log().head().orElse(0L));
  }

  private static SiteEnvironment interrupted(SiteEnvironment before, int last) {
    SiteEnvironment siteEnvironment = before.copy();
    CrashInjector crashInjector = new CrashInjector(last, CrashInjector.CrashPoint.DIES_BEFORE);
    try {
      siteEnvironment
          .site("here")
          .push(
              siteEnvironment.site("there", crashInjector.over(siteEnvironment.backend("there"))),
              "crm");
    } catch (StoreFailureException e) {
      assertThat(crashInjector.isMet()).isTrue();
    }
    return siteEnvironment;
  }

  @Test
  void clonesThatPushAtTheSameTimeEndWithOneHistory() throws Exception {
    int clones = 4;
    Site there = inRealTime("there");
    there.init("crm");
    there.commit("crm", note("n1", "one"));
    List<Site> sites = new ArrayList<>();
    for (int i = 0; i < clones; i++) {
      Site site = inRealTime("clone" + i);
      site.cloneOf(there, "crm");
      site.commit("crm", note("c" + i, "of " + i));
      sites.add(site);
    }
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(clones);
    List<Future<TransferOutcome>> pushes = new ArrayList<>();
    for (Site site : sites) {
      pushes.add(
          threads.submit(
              () -> {
                start.await();
                return site.push(there, "crm");
              }));
    }
    start.countDown();
    int won = 0;
    for (int i = 0; i < clones; i++) {
      TransferOutcome transferOutcome = pushes.get(i).get();
      if (transferOutcome instanceof FastForwarded) {
        won++;
        assertThat(there.account("crm")).isEqualTo(sites.get(i).account("crm"));
      } else {
        assertThat(transferOutcome).isInstanceOf(Diverged.class);
      }
    }
    threads.shutdown();
    assertThat(won).isEqualTo(1);
    there.isSound("crm");
  }

  private static Site inRealTime(String name) {
    return new Site(name, new MemoryBackend(), Retry.standard(), TransferContract.options(name));
  }
}
