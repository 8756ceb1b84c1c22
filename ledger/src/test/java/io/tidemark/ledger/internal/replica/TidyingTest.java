// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.duckdb.Keys;
import io.tidemark.ledger.internal.duckdb.KnownFiles;
import io.tidemark.ledger.internal.duckdb.LocalFiles;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Executor;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica.Eagerness;
import io.tidemark.ledger.internal.replica.Replica.Ready;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table that small commits have fed is sorted anew, and has the rows that it had. */
class TidyingTest {

  private static final String PREFIX = "ledger/";
  private static final int KEYS = 40;
  private static final int LOOSE = 100;
  private static final String EVERYTHING =
      "SELECT string_agg(concat_ws(':', commit_id, entity_key, fields_json, \"until#\"), ' '"
          + " ORDER BY commit_id, entity_key) FROM ";

  @TempDir private Path cache;

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private final LedgerObjects objects = new LedgerObjects(store, PREFIX);
  private final Chain chain = new Chain(objects);
  private final Heads heads = new Heads(objects, chain);
  private final KnownFiles known = new KnownFiles(objects, chain);
  private final TypeView type = TypeView.of(RecordType.of(Thing.class).schema(), 1);
  private LocalFiles files;
  private Ledger ledger;
  private Session session;
  private int n;

  @Entity
  record Thing(@Key String id, long n) {}

  @BeforeEach
  void open() {
    new LedgerInit(store, PREFIX).init();
    files = new LocalFiles(objects, cache.resolve("files"), 1 << 30);
    ledger = Ledger.open(store, PREFIX, LedgerOptions.standard());
    session = ledger.session(RecordType.of(Thing.class));
  }

  @AfterEach
  void close() {
    session.close();
    ledger.close();
    store.close();
  }

  private Replica replica(String directory, long fewestLoose) {
    Replica.Room room = new Replica.Room(cache.resolve(directory), "256MB", fewestLoose);
    return new Replica(room, objects, chain, known, files);
  }

  /** Ten rows, most of them new versions; the head that they are in. */
  private Base commit() {
    List<Record> things = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      things.add(new Thing("t" + n % KEYS, n++));
    }
    session.ensure(things).commit();
    return heads.refresh();
  }

  private Ready at(Replica replica, Base base) {
    return replica.at(List.of(type), base, Eagerness.EVERY_TYPE).orElseThrow();
  }

  private String table(Ready ready) {
    return ready.relations().place(type, window(1), Keys.ANY).from();
  }

  private static Window window(long upper) {
    return new Window(0, upper, Shape.STATE);
  }

  private static String one(Ready ready, String sql) throws SQLException {
    try (Connection connection = ready.database().connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getString(1) : "";
    }
  }

  /** Feeds by small commits until a sort begins; the head that began it. */
  private Base fedUntilItIsDue(Replica replica) {
    Base base = commit();
    at(replica, base);
    for (int rows = 0; rows < LOOSE; rows += 10) {
      base = commit();
      at(replica, base);
    }
    return base;
  }

  private Ready inAnotherTable(Replica replica, Base base, String before) {
    Ready ready = at(replica, base);
    while (table(ready).equals(before)) {
      Thread.onSpinWait();
      ready = at(replica, base);
    }
    return ready;
  }

  private void hasWhatANewOneHas(Ready ready, Base base) throws SQLException {
    try (Replica fresh = replica("fresh", Long.MAX_VALUE)) {
      Ready whole = at(fresh, base);
      assertThat(one(ready, EVERYTHING + table(ready)))
          .isEqualTo(one(whole, EVERYTHING + table(whole)));
    }
  }

  @Test
  void rowsOfSmallCommitsAreSortedAndNoneIsLost() throws SQLException {
    try (Replica replica = replica("replicas", LOOSE)) {
      Ready first = at(replica, commit());
      String before = table(first);
      Base base;
      synchronized (replica) { // so that the table can't be replaced before it is fed once more
        fedUntilItIsDue(replica);
        base = commit();
        at(replica, base);
      }

      Ready sorted = inAnotherTable(replica, base, before);
      hasWhatANewOneHas(sorted, base);
      String falls = "SELECT \"key#\" < lag(\"key#\") OVER (ORDER BY rowid) AS falls FROM ";
      assertThat(one(sorted, "SELECT count(*) FROM (" + falls + table(sorted) + ") WHERE falls"))
          .as("between what is current, what was and what was fed meanwhile")
          .isEqualTo("2");
      assertThat(
              one(
                  sorted,
                  "SELECT count(*) FROM duckdb_tables() WHERE table_name = '" + before + "'"))
          .as("the table that it was in is gone")
          .isEqualTo("0");

      Base later = commit();
      hasWhatANewOneHas(at(replica, later), later);
    }
  }

  @Test
  void aSortThatIsCutShortLeavesTheTableAsItWas() throws SQLException {
    Base base;
    try (Replica replica = replica("replicas", LOOSE)) {
      synchronized (replica) { // it ends before the sort can
        base = fedUntilItIsDue(replica);
        replica.close();
      }
    }

    try (Replica replica = replica("replicas", Long.MAX_VALUE)) {
      Ready ready = at(replica, base);
      hasWhatANewOneHas(ready, base);
      assertThat(
              one(ready, "SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'versions%'"))
          .isEqualTo("1");
    }
  }

  @Test
  void whoAsksOnceDoesNotSort() {
    try (Replica replica = replica("replicas", 1)) {
      String table = table(at(replica, commit()));
      for (int i = 0; i < 20; i++) {
        Base base = commit();
        assertThat(replica.at(List.of(type), base, Eagerness.MANY_FILES).map(this::table))
            .contains(table);
      }
    }
  }

  /** Neither a failure nor an answer of the files would be noticed by whoever asks. */
  private record NoFiles() implements Executor {

    @Override
    public Stream<Found> rows(Plan plan) {
      throw new AssertionError("the files are asked");
    }

    @Override
    public List<Group> groups(Plan plan) {
      throw new AssertionError("the files are asked");
    }

    @Override
    public SortedMap<Long, Long> versions(Plan plan, TypeView type, Window window) {
      throw new AssertionError("the replica failed");
    }
  }

  @Test
  void queriesGoOnWhileTablesAreReplaced() throws InterruptedException {
    try (Replica replica = replica("replicas", 1)) {
      List<Throwable> problems = new ArrayList<>();
      Base first = commit();
      at(replica, first);
      Thread feeding =
          new Thread(
              () -> {
                for (int i = 0; i < 15; i++) {
                  at(replica, commit());
                }
              });
      feeding.setUncaughtExceptionHandler((thread, e) -> problems.add(e));
      feeding.start();
      Plan plan =
          Plan.of(
              Query.of(type.id()),
              window(first.head().commitId()),
              new Binding(type, Map.of()),
              Optional.empty());
      ReplicaExecutor executor =
          new ReplicaExecutor(replica, Eagerness.EVERY_TYPE, first, new NoFiles(), new Stop());
      long asked = 0;
      while (feeding.isAlive()) {
        try (Stream<Found> rows = executor.rows(plan)) {
          assertThat(rows.map(found -> found.row().commitId())).hasSize(10).containsOnly(1L);
        }
        asked++;
      }
      feeding.join();
      assertThat(asked).isPositive();
      assertThat(problems).isEmpty();
      assertThat(table(at(replica, heads.refresh()))).isNotEqualTo("versions_1");
    }
  }
}
