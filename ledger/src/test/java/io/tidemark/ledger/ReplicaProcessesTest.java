// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.CrashLoop;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that share a cache: each has a replica of its own, and dies when it likes. */
class ReplicaProcessesTest {

  private static final int KILLS = Boolean.getBoolean("soak") ? 60 : 3;

  @TempDir private Path root;
  @TempDir private Path cache;

  @BeforeEach
  void init() {
    try (ObjectStore store = ObjectStore.open(root.toString())) {
      new LedgerInitializer(store, "").init();
    }
  }

  static LedgerOptions options(Path cache) {
    return LedgerFixture.options()
        .withQueries(LedgerFixture.QUERIES.withCache(cache).withReplica(Replication.KEPT));
  }

  private static void commit(Session session, long number) {
    for (int i = 0; i < 20; i++) {
      session.ensure(Customer.of("c" + (number * 7 + i) % 50, number));
    }
    session.commit();
  }

  private ChildJvm reader() {
    return ChildJvm.start(ReplicaWorker.class, root.toString(), cache.toString());
  }

  /** What the replica of a new owner says is what the files say. */
  private void isSound(ObjectStore store, long head) {
    LedgerOptions options = options(cache);
    LedgerOptions plain = options.withQueries(options.queries().withEngine(Engine.SCAN));
    try (Ledger ledger = Ledger.open(store, "", options);
        Ledger scan = Ledger.open(store, "", plain)) {
      CrossCheckedQueries crossCheckedQueries =
          new CrossCheckedQueries(ledger.query(), scan.query());
      for (long commit = 1; commit <= head; commit += 1 + head / 5) {
        long at = commit;
        crossCheckedQueries.versions(queries -> queries.entities(Customer.class).asOf(at));
      }
      crossCheckedQueries.versions(queries -> queries.entities(Customer.class).history());
      assertThat(ledger.query().entities(Customer.class).explain().engine()).contains("replica");
    }
  }

  @Test
  void whatAKilledOwnerLeavesIsSoundOrMadeAnew() throws Exception {
    Seed seed = Seed.of("whatAKilledOwnerLeavesIsSoundOrMadeAnew");
    AtomicLong head = new AtomicLong();
    try (ObjectStore store = ObjectStore.open(root.toString());
        Ledger ledger = Ledger.open(store, "", options(cache));
        Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = 0; i < 30; i++) {
        commit(session, head.incrementAndGet());
      }
      new CrashLoop(seed.random(), 5)
          .run(
              KILLS,
              round -> {
                commit(session, head.incrementAndGet());
                commit(session, head.incrementAndGet());
                return reader();
              },
              (round, lines) -> isSound(store, head.get()));
    }
  }

  @Test
  void twoProcessesHaveAReplicaEach() {
    try (ObjectStore store = ObjectStore.open(root.toString());
        Ledger ledger = Ledger.open(store, "", options(cache));
        Session session = ledger.session(RecordType.of(Customer.class))) {
      commit(session, 1);
      try (ChildJvm child = reader()) {
        child.expectLine("ready").send("go");
        assertThat(child.nextLine()).contains("20 duckdb on a replica");
        isSound(store, 1);
        assertThat(child.isAlive()).isTrue();
      }
      assertThat(List.of(cache.toFile().listFiles())).isNotEmpty();
    }
  }
}
