// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Threads that create and move the same records, on two instances at one place. */
interface NameRaceContract {

  NamesFixture fixture();

  private int threads() {
    return fixture().scale().threads();
  }

  private int races() {
    return fixture().scale().races();
  }

  /** Moves the status from what it is to the next number until it was this thread that did. */
  private static long increment(NameService names, String by) {
    ConcernValue known = names.get(MYDB, Concern.STATUS).orElseThrow();
    while (true) {
      ConcernValue next = state(known.watermark() + 1, by);
      PushResult result = names.push(MYDB, Concern.STATUS, Optional.of(known), next);
      if (!(result instanceof Conflict conflict)) {
        return next.watermark();
      }
      known = conflict.actual().orElseThrow();
    }
  }

  @Test
  default void noIncrementOfAStatusIsLost_names57_names5_10() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = fixture().twoInstances();
    List<List<Long>> written =
        Race.run(
            threads(),
            thread -> {
              List<Long> mine = new ArrayList<>();
              for (int i = 0; i < races(); i++) {
                mine.add(increment(services.get(thread % 2), "by-" + thread));
              }
              return mine;
            });
    long total = (long) threads() * races();
    assertThat(fixture().get(MYDB, Concern.STATUS).orElseThrow().watermark()).isEqualTo(1 + total);
    assertThat(written.stream().flatMap(List::stream).sorted().toList())
        .isEqualTo(LongStream.rangeClosed(2, 1 + total).boxed().toList());
  }

  @Test
  default void ofAllWhoCreateALedgerOneWins() throws Exception {
    List<NameService> services = fixture().twoInstances();
    AtomicInteger created = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    Race.rounds(
        threads(),
        races(),
        (thread, round) -> {
          try {
            services.get(thread % 2).create(Address.parse("race/" + round));
            created.incrementAndGet();
          } catch (AlreadyExistsException e) {
            refused.incrementAndGet();
          }
        });
    assertThat(created).hasValue(races());
    assertThat(refused).hasValue(races() * (threads() - 1));
    assertThat(fixture().listed()).hasSize(races());
  }

  @Test
  default void ofAllWhoPushToAnAbsentLedgerOneWins() throws Exception {
    List<NameService> services = fixture().twoInstances();
    ConcurrentMap<Address, ConcernValue> winners = new ConcurrentHashMap<>();
    ConcurrentMap<Address, List<ConcernValue>> told = new ConcurrentHashMap<>();
    AtomicInteger won = new AtomicInteger();
    Race.rounds(
        threads(),
        races(),
        (thread, round) -> {
          Address address = Address.parse("race/" + round);
          ConcernValue mine = head("by-" + thread, 1 + thread);
          PushResult result =
              services.get(thread % 2).push(address, Concern.HEAD, Optional.empty(), mine);
          if (result instanceof Conflict conflict) {
            told.computeIfAbsent(address, a -> new CopyOnWriteArrayList<>())
                .add(conflict.actual().orElseThrow());
          } else {
            won.incrementAndGet();
            winners.put(address, mine);
          }
        });
    assertThat(won).hasValue(races());
    winners.forEach(
        (address, winner) -> {
          assertThat(fixture().get(address, Concern.HEAD)).contains(winner);
          assertThat(told.get(address)).hasSize(threads() - 1).containsOnly(winner);
        });
  }

  @Test
  default void ofAllWhoMoveAHeadOneWins() throws Exception {
    fixture().ledger(MYDB, "start", 1);
    List<NameService> services = fixture().twoInstances();
    ConcurrentMap<Integer, String> winners = new ConcurrentHashMap<>();
    AtomicInteger won = new AtomicInteger();
    Race.rounds(
        threads(),
        races(),
        (thread, round) -> {
          String from = round == 0 ? "start" : null;
          NameService names = services.get(thread % 2);
          ConcernValue known =
              from == null ? names.get(MYDB, Concern.HEAD).orElseThrow() : head(from, 1);
          // Whoever comes late knows a head of this round already and leaves it alone.
          if (known.watermark() != round + 1L) {
            return;
          }
          String id = "c-" + round + "-" + thread;
          if (names.push(MYDB, Concern.HEAD, Optional.of(known), head(id, round + 2L)).updated()) {
            won.incrementAndGet();
            winners.put(round, id);
          }
        });
    assertThat(won).hasValue(races());
    assertThat(fixture().get(MYDB, Concern.HEAD))
        .contains(head(String.valueOf(winners.get(races() - 1)), races() + 1L));
  }

  @Test
  default void ofManyWhoAdvanceAHeadTheNewestStays_names17() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = fixture().twoInstances();
    List<List<Long>> moved =
        Race.run(
            threads(),
            thread -> {
              List<Long> mine = new ArrayList<>();
              for (int i = 0; i < races(); i++) {
                long t = 1 + (long) i * threads() + thread;
                Ref commit = Ref.of("c" + t, t);
                if (services.get(thread % 2).ledgers().fastForward(MYDB, commit).updated()) {
                  mine.add(t);
                }
              }
              return mine;
            });
    long last = (long) races() * threads();
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head("c" + last, last));
    moved.forEach(mine -> assertThat(mine).isSorted());
    assertThat(moved.stream().flatMap(List::stream).toList())
        .contains(last)
        .doesNotHaveDuplicates();
  }

  @Test
  default void concernsDoNotDisturbEachOther() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = fixture().twoInstances();
    Race.run(
        4,
        thread -> {
          NameService names = services.get(thread % 2);
          Concern concern = List.of(Concern.values()).get(thread);
          ConcernValue known = names.get(MYDB, concern).orElseThrow();
          for (int i = 1; i <= races(); i++) {
            ConcernValue next = step(concern, i);
            // A conflict could only come from another concern, since nobody else moves this one.
            assertThat(names.push(MYDB, concern, Optional.of(known), next))
                .isEqualTo(new PushResult.Updated(next));
            known = next;
          }
          return concern;
        });
    NameRecord record = fixture().record(MYDB);
    for (Concern concern : Concern.values()) {
      assertThat(record.concern(concern)).isEqualTo(step(concern, races()));
      assertThat(fixture().get(MYDB, concern)).contains(step(concern, races()));
    }
    assertThat(record.meta().indexRev()).isEqualTo(races());
  }

  @Test
  default void everyEqualPublicationOfAnIndexIsCounted_decision5() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = fixture().twoInstances();
    int rounds = Math.min(races(), 300);
    Race.run(
        threads(),
        thread -> {
          for (int i = 0; i < rounds; i++) {
            Ref rebuilt = Ref.of("i-" + thread + "-" + i, 5);
            PushResult result =
                services.get(thread % 2).ledgers().publishIndexAllowEqual(MYDB, rebuilt);
            assertThat(result.updated()).isTrue();
          }
          return thread;
        });
    long total = (long) threads() * rounds;
    NameRecord record = fixture().record(MYDB);
    assertThat(record.meta().indexRev()).isEqualTo(total);
    assertThat(record.index().payload().orElseThrow().toTree().at("/default/rev").longValue())
        .isEqualTo(total - 1);
  }

  @Test
  default void allWhoPublishAGraphSourceSucceed() throws Exception {
    List<NameService> services = fixture().twoInstances();
    int rounds = Math.min(races(), 200);
    Race.rounds(
        threads(),
        rounds,
        (thread, round) ->
            services
                .get(thread % 2)
                .graphSources()
                .publish(
                    Address.parse("s" + round),
                    SourceType.BM25,
                    json("{'by':" + thread + "}"),
                    List.of("by:" + thread)));
    for (int i = 0; i < rounds; i++) {
      NameRecord record = fixture().record(Address.parse("s" + i));
      assertThat(record.config().watermark()).isEqualTo(threads());
      long by = record.config().payload().orElseThrow().toTree().path("by").longValue();
      assertThat(record.meta().dependencies()).containsExactly("by:" + by);
    }
  }

  @Test
  default void everyHistoryHasAnOrder() throws Exception {
    Seed seed = Seed.of(getClass().getSimpleName() + ".everyHistoryHasAnOrder");
    RandomNamesWorkload random =
        new RandomNamesWorkload(
            List.of(fixture().backend(), fixture().anotherBackend()),
            seed,
            threads(),
            fixture().scale().operations());
    OperationHistory operationHistory = random.run();
    assertThat(operationHistory.operations())
        .hasSizeGreaterThanOrEqualTo(fixture().scale().operations());
    assertThat(operationHistory.operations())
        .as("edits, %s", seed)
        .anyMatch(
            o ->
                o.action() instanceof OperationHistory.Edit
                    && o.answer() instanceof OperationHistory.Done);
    LinearizabilityChecker.check(operationHistory, RandomNamesWorkload::initial)
        .ifPresent(
            violation -> {
              throw new AssertionError(seed + ": " + violation);
            });
  }
}
