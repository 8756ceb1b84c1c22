// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.duckdb.DataFileCache;
import io.tidemark.ledger.internal.duckdb.KeyFilter;
import io.tidemark.ledger.internal.duckdb.TypeFileCache;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryExecutor;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica.LoadPolicy;
import io.tidemark.ledger.internal.replica.Replica.LoadedRows;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.plan.CancellationToken;
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
class TableSorterTest {

  private static final String PREFIX = "ledger/";
  private static final int KEYS = 40;
  private static final int LOOSE = 100;
  private static final String EVERYTHING =
      "SELECT string_agg(concat_ws(':', commit_id, entity_key, fields_json, \"until#\"), ' '"
          + " ORDER BY commit_id, entity_key) FROM ";

  @TempDir private Path cache;

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private final LedgerObjects objects = new LedgerObjects(store, PREFIX);
  private final ManifestChain manifestChain = new ManifestChain(objects);
  private final HeadCache headCache = new HeadCache(objects, manifestChain);
  private final TypeFileCache known = new TypeFileCache(objects, manifestChain);
  private final TypeView type = TypeView.of(RecordType.of(Thing.class).schema(), 1);
  private DataFileCache files;
  private Ledger ledger;
  private Session session;
  private int n;

  @Entity
  record Thing(@Key String id, long n) {}

  @BeforeEach
  void open() {
    new LedgerInitializer(store, PREFIX).init();
    files = new DataFileCache(objects, cache.resolve("files"), 1 << 30);
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
    Replica.ReplicaSettings replicaSettings =
        new Replica.ReplicaSettings(cache.resolve(directory), "256MB", fewestLoose);
    return new Replica(replicaSettings, objects, manifestChain, known, files);
  }

  /** Ten rows, most of them new versions; the head that they are in. */
  private PinnedHead commit() {
    List<Record> things = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      things.add(new Thing("t" + n % KEYS, n++));
    }
    session.ensure(things).commit();
    return headCache.refresh();
  }

  private LoadedRows at(Replica replica, PinnedHead pinnedHead) {
    return replica.at(List.of(type), pinnedHead, LoadPolicy.EVERY_TYPE).orElseThrow();
  }

  private String table(LoadedRows loadedRows) {
    return loadedRows.relations().fromClause(type, window(1), KeyFilter.ANY).from();
  }

  private static Window window(long upper) {
    return new Window(0, upper, Shape.STATE);
  }

  private static String one(LoadedRows loadedRows, String sql) throws SQLException {
    try (Connection connection = loadedRows.database().connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getString(1) : "";
    }
  }

  /** Feeds by small commits until a sort begins; the head that began it. */
  private PinnedHead fedUntilItIsDue(Replica replica) {
    PinnedHead pinnedHead = commit();
    at(replica, pinnedHead);
    for (int rows = 0; rows < LOOSE; rows += 10) {
      pinnedHead = commit();
      at(replica, pinnedHead);
    }
    return pinnedHead;
  }

  private LoadedRows inAnotherTable(Replica replica, PinnedHead pinnedHead, String before) {
    LoadedRows loadedRows = at(replica, pinnedHead);
    while (table(loadedRows).equals(before)) {
      Thread.onSpinWait();
      loadedRows = at(replica, pinnedHead);
    }
    return loadedRows;
  }

  private void hasWhatANewOneHas(LoadedRows loadedRows, PinnedHead pinnedHead) throws SQLException {
    try (Replica fresh = replica("fresh", Long.MAX_VALUE)) {
      LoadedRows whole = at(fresh, pinnedHead);
      assertThat(one(loadedRows, EVERYTHING + table(loadedRows)))
          .isEqualTo(one(whole, EVERYTHING + table(whole)));
    }
  }

  @Test
  void rowsOfSmallCommitsAreSortedAndNoneIsLost() throws SQLException {
    try (Replica replica = replica("replicas", LOOSE)) {
      LoadedRows first = at(replica, commit());
      String before = table(first);
      PinnedHead pinnedHead;
      synchronized (replica) { // so that the table can't be replaced before it is fed once more
        fedUntilItIsDue(replica);
        pinnedHead = commit();
        at(replica, pinnedHead);
      }

      LoadedRows sorted = inAnotherTable(replica, pinnedHead, before);
      hasWhatANewOneHas(sorted, pinnedHead);
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

      PinnedHead later = commit();
      hasWhatANewOneHas(at(replica, later), later);
    }
  }

  @Test
  void aSortThatIsCutShortLeavesTheTableAsItWas() throws SQLException {
    PinnedHead pinnedHead;
    try (Replica replica = replica("replicas", LOOSE)) {
      synchronized (replica) { // it ends before the sort can
        pinnedHead = fedUntilItIsDue(replica);
        replica.close();
      }
    }

    try (Replica replica = replica("replicas", Long.MAX_VALUE)) {
      LoadedRows loadedRows = at(replica, pinnedHead);
      hasWhatANewOneHas(loadedRows, pinnedHead);
      assertThat(
              one(
                  loadedRows,
                  "SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'versions%'"))
          .isEqualTo("1");
    }
  }

  @Test
  void whoAsksOnceDoesNotSort() {
    try (Replica replica = replica("replicas", 1)) {
      String table = table(at(replica, commit()));
      for (int i = 0; i < 20; i++) {
        PinnedHead pinnedHead = commit();
        assertThat(replica.at(List.of(type), pinnedHead, LoadPolicy.MANY_FILES).map(this::table))
            .contains(table);
      }
    }
  }

  /** Neither a failure nor an answer of the files would be noticed by whoever asks. */
  private record NoFiles() implements QueryExecutor {

    @Override
    public Stream<MatchedRow> rows(QueryPlan queryPlan) {
      throw new AssertionError("the files are asked");
    }

    @Override
    public List<Group> groups(QueryPlan queryPlan) {
      throw new AssertionError("the files are asked");
    }

    @Override
    public SortedMap<Long, Long> versions(QueryPlan queryPlan, TypeView type, Window window) {
      throw new AssertionError("the replica failed");
    }
  }

  @Test
  void queriesGoOnWhileTablesAreReplaced() throws InterruptedException {
    try (Replica replica = replica("replicas", 1)) {
      List<Throwable> problems = new ArrayList<>();
      PinnedHead first = commit();
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
      QueryPlan queryPlan =
          QueryPlan.of(
              Query.of(type.id()),
              window(first.head().commitId()),
              new Binding(type, Map.of()),
              Optional.empty());
      ReplicaExecutor executor =
          new ReplicaExecutor(
              replica, LoadPolicy.EVERY_TYPE, first, new NoFiles(), new CancellationToken());
      long asked = 0;
      while (feeding.isAlive()) {
        try (Stream<MatchedRow> rows = executor.rows(queryPlan)) {
          assertThat(rows.map(matchedRow -> matchedRow.row().commitId()))
              .hasSize(10)
              .containsOnly(1L);
        }
        asked++;
      }
      feeding.join();
      assertThat(asked).isPositive();
      assertThat(problems).isEmpty();
      assertThat(table(at(replica, headCache.refresh()))).isNotEqualTo("versions_1");
    }
  }
}
