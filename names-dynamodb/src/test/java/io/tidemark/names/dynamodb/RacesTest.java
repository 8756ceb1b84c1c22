// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.at;
import static io.tidemark.names.dynamodb.Samples.head;
import static io.tidemark.names.dynamodb.Samples.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Threads against each other on one row. */
class RacesTest extends DynamoDbTestBase {

  RacesTest(DynamoDbServer server) {
    super(server);
  }

  private static final int THREADS = 8;
  private static final int EACH = 15;

  @Test
  void ofEightThreadsThatCountNoneLosesACount() throws Exception {
    names.create(MYDB);
    count(Concern.STATUS, t -> at(t, "{\"state\":\"ready\"}"));
    assertThat(backend.get(MYDB, Concern.STATUS).orElseThrow().watermark())
        .isEqualTo(1 + THREADS * EACH);
  }

  /** Who has waited for another is told what that one wrote, and needs no request to lose. */
  @Test
  void eightThreadsThatMoveOneHeadSendFewRequestsInVain() throws Exception {
    names.create(MYDB);
    wire.reset();
    count(Concern.HEAD, t -> head("c" + t, t));
    List<String> updates = wire.requests().stream().filter("UpdateItem"::equals).toList();
    assertThat(backend.get(MYDB, Concern.HEAD).orElseThrow().watermark()).isEqualTo(THREADS * EACH);
    assertThat(updates).hasSizeBetween(THREADS * EACH, 3 * THREADS * EACH);
  }

  private void count(Concern concern, LongFunction<ConcernValue> at) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<ConcernValue>> workers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        workers.add(() -> countAlone(concern, at));
      }
      for (Future<ConcernValue> worker : pool.invokeAll(workers)) {
        worker.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private ConcernValue countAlone(Concern concern, LongFunction<ConcernValue> at) {
    ConcernValue known = backend.get(MYDB, concern).orElseThrow();
    for (int done = 0; done < EACH; ) {
      ConcernValue next = at.apply(known.watermark() + 1);
      NameBackend.Outcome outcome = backend.change(MYDB, push(concern, known, next));
      if (outcome instanceof Refused refused) {
        known = refused.actual();
      } else {
        known = next;
        done++;
      }
    }
    return known;
  }

  @Test
  void ofEightCreatorsOneWins() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> creators = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        creators.add(() -> created());
      }
      int wins = 0;
      for (Future<Boolean> creator : pool.invokeAll(creators)) {
        wins += creator.get() ? 1 : 0;
      }
      assertThat(wins).isEqualTo(1);
    } finally {
      pool.shutdownNow();
    }
  }

  private boolean created() {
    try {
      names.create(MYDB);
      return true;
    } catch (AlreadyExistsException e) {
      return false;
    }
  }
}
