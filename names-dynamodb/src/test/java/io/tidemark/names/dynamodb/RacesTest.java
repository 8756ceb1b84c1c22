// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.at;
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
import org.junit.jupiter.api.Test;

/** Threads against each other on one row. */
class RacesTest extends OwnTable {

  RacesTest(DynamoDbServer server) {
    super(server);
  }

  @Test
  void ofEightThreadsThatCountNoneLosesACount() throws Exception {
    names.create(MYDB);
    int each = 15;
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> workers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        workers.add(() -> count(each));
      }
      for (Future<Integer> worker : pool.invokeAll(workers)) {
        worker.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(backend.get(MYDB, Concern.STATUS).orElseThrow().watermark()).isEqualTo(1 + 8 * each);
  }

  private int count(int times) {
    int conflicts = 0;
    ConcernValue known = backend.get(MYDB, Concern.STATUS).orElseThrow();
    for (int done = 0; done < times; ) {
      ConcernValue next = at(known.watermark() + 1, "{\"state\":\"ready\"}");
      NameBackend.Outcome outcome = backend.change(MYDB, push(Concern.STATUS, known, next));
      if (outcome instanceof Refused refused) {
        known = refused.actual();
        conflicts++;
      } else {
        known = next;
        done++;
      }
    }
    return conflicts;
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
