// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.duckdb.DataFileCache;
import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.KeyFilter;
import io.tidemark.ledger.internal.duckdb.TypeFileCache;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica.LoadPolicy;
import io.tidemark.ledger.internal.replica.Replica.LoadedRows;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is killed while it sorts a table of its replica anew. It does so after every commit
 * that it was fed with, and it is killed when it has said that it was.
 */
class KilledTableSorterTest {

  private static final int KILLS = Boolean.getBoolean("soak") ? 60 : 1;
  private static final int KEYS = 3_000;
  private static final String EVERYTHING =
      "SELECT md5(string_agg(concat_ws(':', commit_id, entity_key, fields_json, \"until#\"), ' '"
          + " ORDER BY commit_id, entity_key)) FROM ";

  @TempDir private Path root;
  @TempDir private Path cache;

  @Entity
  record Thing(@Key String id, long n) {}

  /** A store as one process sees it. */
  private record Reader(HeadCache heads, Replica replica, TypeView type) implements AutoCloseable {

    static Reader of(ObjectStore store, Path cache, String replicas, long fewestLoose) {
      LedgerObjects objects = new LedgerObjects(store, "");
      ManifestChain manifestChain = new ManifestChain(objects);
      Replica.ReplicaSettings replicaSettings =
          new Replica.ReplicaSettings(cache.resolve(replicas), "256MB", fewestLoose);
      DataFileCache files = new DataFileCache(objects, cache.resolve("files"), 1 << 30);
      return new Reader(
          new HeadCache(objects, manifestChain),
          new Replica(
              replicaSettings,
              objects,
              manifestChain,
              new TypeFileCache(objects, manifestChain),
              files),
          TypeView.of(RecordType.of(Thing.class).schema(), 1));
    }

    LoadedRows at(PinnedHead pinnedHead) {
      return replica.at(List.of(type), pinnedHead, LoadPolicy.EVERY_TYPE).orElseThrow();
    }

    String everything(PinnedHead pinnedHead) throws SQLException {
      LoadedRows loadedRows = at(pinnedHead);
      Window window = new Window(0, 1, Shape.STATE);
      String table = loadedRows.relations().fromClause(type, window, KeyFilter.ANY).from();
      return one(loadedRows.database(), EVERYTHING + table);
    }

    @Override
    public void close() {
      replica.close();
    }
  }

  private static String one(DuckDbDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getString(1) : "";
    }
  }

  /** Takes the location of the store and the cache. */
  public static void main(String[] arguments) throws IOException {
    ParentLink parent = new ParentLink();
    try (ObjectStore store = ObjectStore.open(arguments[0]);
        Reader reader = Reader.of(store, Path.of(arguments[1]), "replicas", 1)) {
      parent.awaitStart();
      for (long last = 0; true; ) {
        PinnedHead pinnedHead = reader.heads().refresh();
        if (pinnedHead.head().commitId() > last) {
          reader.at(pinnedHead);
          last = pinnedHead.head().commitId();
          parent.printLine("fed " + last);
        }
      }
    }
  }

  /** Two thousand rows, most of them new versions. */
  private static long commit(Session session, int number) {
    List<Record> things = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      things.add(new Thing("t" + (number * 1_999 + i) % KEYS, number));
    }
    session.ensure(things).commit();
    return number;
  }

  /** Whether a killed process was about to sort: there is a second table then. */
  private boolean wasSorting(Path copies) throws IOException, SQLException {
    try (Stream<Path> files = Files.walk(cache.resolve("replicas"))) {
      for (Path file : files.filter(file -> file.toString().contains(".duckdb")).toList()) {
        Files.copy(file, copies.resolve(file.getFileName()));
      }
    }
    try (Stream<Path> files = Files.list(copies)) {
      Path file = files.filter(f -> f.toString().endsWith(".duckdb")).findFirst().orElseThrow();
      try (DuckDbDatabase database = DuckDbDatabase.inFile(file, copies.resolve("s"), "256MB")) {
        String tables = "SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'versions%'";
        return Integer.parseInt(one(database, tables)) > 1;
      }
    }
  }

  @Test
  void whatIsLeftOfAReplicaAnswersAsANewOneDoes(@TempDir Path copies) throws Exception {
    Seed seed = Seed.of("KilledTableSorterTest");
    RandomGenerator random = seed.random();
    int commits = 0;
    int sorting = 0;
    try (ObjectStore store = ObjectStore.open(root.toString())) {
      new LedgerInitializer(store, "").init();
      try (Ledger ledger = Ledger.open(store, "", LedgerOptions.standard());
          Session session = ledger.session(RecordType.of(Thing.class))) {
        for (int round = 1; round <= KILLS; round++) {
          try (ChildJvm child =
              ChildJvm.start(KilledTableSorterTest.class, root.toString(), cache.toString())) {
            child.expectLine("ready");
            commit(session, ++commits);
            child.send("go");
            child.expectLine("fed " + commits);
            for (int more = random.nextInt(4); more > 0; more--) {
              child.expectLine("fed " + commit(session, ++commits));
            }
            child.kill();
          }
          sorting += wasSorting(Files.createDirectory(copies.resolve("" + round))) ? 1 : 0;
          String when = "round " + round + ", " + seed;
          try (Reader left = Reader.of(store, cache, "replicas", Long.MAX_VALUE);
              Reader fresh = Reader.of(store, cache, "fresh" + round, Long.MAX_VALUE)) {
            PinnedHead pinnedHead = left.heads().refresh();
            assertThat(pinnedHead.head().commitId()).as(when).isEqualTo(commits);
            assertThat(left.everything(pinnedHead))
                .as(when)
                .isEqualTo(fresh.everything(pinnedHead));
          }
        }
      }
    }
    if (KILLS > 50) {
      assertThat(sorting).as("some were killed in the middle, " + seed).isPositive();
    }
  }
}
