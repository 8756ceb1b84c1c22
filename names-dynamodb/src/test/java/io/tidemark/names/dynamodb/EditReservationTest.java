// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.at;
import static io.tidemark.names.dynamodb.Samples.head;
import static io.tidemark.names.dynamodb.Samples.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Edits of a record against writers in other processes, which share nothing but the table. */
class EditReservationTest extends DynamoDbTestBase {

  private static final int WRITERS = 8;

  EditReservationTest(DynamoDbServer server) {
    super(server);
  }

  @Test
  void aPurgeWinsAgainstEightWritersThatNeverPause() throws Exception {
    names.create(MYDB);
    List<Outcome> ends = amongWriters(() -> assertThat(names.purge(MYDB)).isTrue());

    assertThat(ends).hasSize(WRITERS).containsOnly(NameBackend.Missing.MISSING);
    assertThat(table.rows("mydb:main")).isEmpty();
  }

  @Test
  void aRetractWinsAgainstEightWritersThatNeverPause() throws Exception {
    names.create(MYDB);
    List<Outcome> ends =
        amongWriters(() -> assertThat(names.retract(MYDB).meta().retracted()).isTrue());

    assertThat(ends).hasSize(WRITERS).containsOnly(NameBackend.Retracted.RETRACTED);
    assertThat(table.rows("mydb:main").values())
        .noneMatch(item -> item.containsKey(AttributeNames.RESERVED_BY));
  }

  /** Runs an action while writers change all concerns; returns what ended each of them. */
  private List<Outcome> amongWriters(Runnable action) throws Exception {
    List<Concern> concerns = List.of(Concern.values());
    CountDownLatch writing = new CountDownLatch(WRITERS * 5);
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    List<NameBackend> others = new ArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    try {
      List<Future<Outcome>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Concern concern = concerns.get(i % concerns.size());
        NameBackend other = table.anotherBackend();
        others.add(other);
        writers.add(pool.submit(() -> write(other, concern, writing, over)));
      }
      assertThat(writing.await(1, TimeUnit.MINUTES)).isTrue();
      action.run();
      List<Outcome> ends = new ArrayList<>();
      for (Future<Outcome> writer : writers) {
        ends.add(writer.get(1, TimeUnit.MINUTES));
      }
      return ends;
    } finally {
      over.set(true);
      pool.shutdown();
      assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      others.forEach(NameBackend::close);
    }
  }

  private static Outcome write(
      NameBackend backend, Concern concern, CountDownLatch writing, AtomicBoolean over) {
    ConcernValue known = backend.get(MYDB, concern).orElseThrow();
    Outcome outcome = new Applied(known);
    while (!over.get()) {
      ConcernValue next = next(concern, known.watermark() + 1);
      outcome = backend.change(MYDB, push(concern, known, next));
      if (outcome instanceof Refused refused) {
        known = refused.actual();
      } else if (outcome instanceof Applied) {
        known = next;
        writing.countDown();
      } else {
        return outcome;
      }
    }
    return outcome;
  }

  private static ConcernValue next(Concern concern, long t) {
    return concern == Concern.HEAD ? head("c" + t, t) : at(t, "{\"state\":\"ready\"}");
  }

  @Test
  void aReservationOfAProcessThatDiedIsWaitedForAndThenRemoved() {
    names.create(MYDB);
    reserve("dead");
    long began = System.nanoTime();

    ConcernValue next = head("c1", 1);
    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, next)))
        .isEqualTo(new Applied(next));

    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(EditReservation.LONGEST.toNanos());
    assertThat(table.rows("mydb:main").get("head")).doesNotContainKey(AttributeNames.RESERVED_BY);
    assertThat(names.purge(MYDB)).isTrue();
    assertThat(table.rows("mydb:main")).isEmpty();
  }

  @Test
  void aChangeThatIsNotAllowedIsRefusedAtOnce() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    reserve("another");
    wire.reset();

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c2", 2))))
        .isEqualTo(new Refused(head("c1", 1)));
    assertThat(wire.requests()).containsExactly("UpdateItem");
  }

  @Test
  void anEditThatEndsWithoutAChangeLeavesNoReservation() {
    NameRecord made = names.create(MYDB);
    try (NameBackend other = table.anotherBackend()) {
      AtomicInteger calls = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  backend.edit(
                      MYDB,
                      seen -> {
                        if (calls.incrementAndGet() == 1) {
                          ConcernValue next = head("c1", 1);
                          other.change(MYDB, push(Concern.HEAD, made.head(), next));
                          return EditDecision.remove();
                        }
                        assertThat(reserved()).isEqualTo(4);
                        throw new RefusedException("no");
                      }))
          .isInstanceOf(RefusedException.class);
    }
    assertThat(reserved()).isZero();
  }

  @Test
  void anEditLetsTheConcernsGoThatItLeavesAsTheyAre() {
    NameRecord made = names.create(MYDB);
    try (NameBackend other = table.anotherBackend()) {
      AtomicInteger calls = new AtomicInteger();
      ConcernValue c1 = head("c1", 1);
      backend.edit(
          MYDB,
          seen -> {
            if (calls.incrementAndGet() == 1) {
              other.change(MYDB, push(Concern.HEAD, made.head(), c1));
            }
            return EditDecision.replace(seen, seen.with(Concern.INDEX, at(1, "{}"), 5));
          });
      assertThat(calls).hasValue(2);
    }
    assertThat(reserved()).isZero();
    assertThat(backend.find(MYDB).orElseThrow().head()).isEqualTo(head("c1", 1));
  }

  private long reserved() {
    return table.rows("mydb:main").values().stream()
        .filter(item -> item.containsKey(AttributeNames.RESERVED_BY))
        .count();
  }

  private void reserve(String id) {
    for (String sk : List.of("head", "index", "status", "config")) {
      table
          .client()
          .updateItem(
              u ->
                  u.tableName(table.name())
                      .key(ItemCodec.key("mydb:main", sk))
                      .updateExpression("SET reserved_by = :id")
                      .expressionAttributeValues(Map.of(":id", AttributeValue.fromS(id))));
    }
  }
}
