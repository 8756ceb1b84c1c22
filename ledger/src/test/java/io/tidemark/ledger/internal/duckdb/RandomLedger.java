// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.FieldLineage;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryExecutor;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica;
import io.tidemark.ledger.internal.replica.Replica.LoadPolicy;
import io.tidemark.ledger.internal.replica.ReplicaExecutor;
import io.tidemark.ledger.internal.scan.LazyRow;
import io.tidemark.ledger.internal.scan.LedgerRowSource;
import io.tidemark.ledger.internal.scan.RowSource;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A ledger with random types and rows, and its rows once more in tables and in memory. */
final class RandomLedger implements AutoCloseable {

  static final Map<String, String> FIELDS = new LinkedHashMap<>();

  static {
    FIELDS.put("s", "\"string\"");
    FIELDS.put("s2", "\"string?\"");
    FIELDS.put("n", "\"long?\"");
    FIELDS.put("d", "\"double?\"");
    FIELDS.put("b", "\"boolean?\"");
    FIELDS.put("x", "\"decimal?\"");
    FIELDS.put("t", "\"instant?\"");
    FIELDS.put("any", "\"any\"");
    FIELDS.put("o", "{\"a\": \"string?\", \"n\": \"long?\", \"o\": {\"d\": \"double?\"}}");
    FIELDS.put("map", "{\"*\": \"any\"}");
    FIELDS.put("list", "[{\"k\": \"string?\", \"v\": \"any\"}]");
    FIELDS.put("tags", "[\"string\"]");
    // Names that have no column of their own, because another column or field has them.
    FIELDS.put("commit_id", "\"long?\"");
    FIELDS.put("N", "\"long?\"");
  }

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private final LedgerObjects objects = new LedgerObjects(store, "");
  private final ManifestChain manifestChain = new ManifestChain(objects);
  private final Map<TypeId, TypeView> types = new LinkedHashMap<>();
  private final Map<TypeId, List<TypeView>> everyVersion = new LinkedHashMap<>();
  private final Map<TypeId, List<LazyRow>> rows = new HashMap<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<PinnedHead> bases = new ArrayList<>();
  private final String name;
  private final PinnedHead pinnedHead;

  RandomLedger(String name, RandomGenerator random) {
    this.name = name;
    new LedgerInitializer(store, "").init();
    List<TypeSchema> schemas = schemas(random);
    HeadCache headCache = new HeadCache(objects, manifestChain);
    try (Ledger ledger = Ledger.open(store, "", LedgerOptions.standard())) {
      int commits = 1 + random.nextInt(6);
      for (int i = 0; i < commits || headCache.refresh().newest().isEmpty(); i++) {
        commit(ledger, schemas, random);
        bases.add(headCache.refresh());
        if (headCache.refresh().newest().isPresent() && random.nextInt(3) == 0) {
          schemas = RandomMigration.of(ledger, schemas, random).run();
          bases.add(headCache.refresh());
        }
      }
    }
    this.pinnedHead = headCache.refresh();
    Catalog catalog = new Catalog(objects, manifestChain);
    for (TypeSchema schema : schemas) {
      List<SchemaVersion> versions = catalog.history(schema.id(), pinnedHead);
      List<TypeView> views = versions.stream().map(version -> view(versions, version)).toList();
      everyVersion.put(schema.id(), views);
      TypeView view = views.get(views.size() - 1);
      types.put(schema.id(), view);
      List<LazyRow> all = new ArrayList<>();
      parquetRows().forEach(view, everything(), all::add);
      rows.put(schema.id(), all);
    }
  }

  private static TypeView view(List<SchemaVersion> versions, SchemaVersion shown) {
    return TypeView.of(
        StoredSchema.parse(shown.schemaJson()).schema(),
        shown.id(),
        new FieldLineage(versions).projectionsTo(shown));
  }

  private static List<TypeSchema> schemas(RandomGenerator random) {
    return DeclaredSchema.parse(
        "[{\"entity\": \"A\", \"key\": \"id\", \"fields\": {\"id\": \"string\""
            + fields(random)
            + "}}, {\"entity\": \"B\", \"key\": \"id\", \"fields\": {\"id\": \"long\""
            + fields(random)
            + "}}, {\"relation\": \"R\", \"left\": \"A\", \"right\": \"B\", \"instanceKey\":"
            + " \"nr\", \"fields\": {\"nr\": \"string\""
            + fields(random)
            + "}}]");
  }

  private static String fields(RandomGenerator random) {
    StringBuilder fields = new StringBuilder();
    FIELDS.forEach(
        (field, type) -> {
          if (random.nextInt(3) > 0) {
            fields.append(", \"").append(field).append("\": ").append(type);
          }
        });
    return fields.toString();
  }

  private static void commit(Ledger ledger, List<TypeSchema> schemas, RandomGenerator random) {
    try (Session session = ledger.session(schemas)) {
      commit(session, schemas, random);
    }
  }

  private static void commit(Session session, List<TypeSchema> schemas, RandomGenerator random) {
    RandomValues values = new RandomValues(random);
    for (TypeSchema schema : schemas) {
      for (int i = random.nextInt(6); i > 0; i--) {
        ObjectNode fields = CanonicalJson.object();
        schema.payload().forEach((field, type) -> fields.set(field, values.of(type.type())));
        String left = "a" + random.nextInt(5);
        long right = random.nextInt(4);
        if (schema.id().kind() == TypeKind.RELATION) {
          String nr = "i" + random.nextInt(2);
          session.ensure(
              schema.id(), new Identity.RelationKey(left, Long.toString(right), nr), fields);
        } else if (schema.id().name().equals("A")) {
          session.ensure(schema.id(), fields.put("id", left));
        } else {
          session.ensure(schema.id(), fields.put("id", right));
        }
      }
    }
    session.commit();
  }

  /** The newest commit. */
  long head() {
    return pinnedHead.head().commitId();
  }

  List<TypeId> types() {
    return List.copyOf(types.keySet());
  }

  /** With types as they are now. */
  Binding binding(TypeId type) {
    return binding(type, types);
  }

  /** With types as they were at some time, each at another. */
  Binding oldBinding(TypeId type, RandomGenerator random) {
    Map<TypeId, TypeView> views = new LinkedHashMap<>();
    everyVersion.forEach((id, all) -> views.put(id, all.get(random.nextInt(all.size()))));
    return binding(type, views);
  }

  private static Binding binding(TypeId type, Map<TypeId, TypeView> types) {
    TypeView self = types.get(type);
    if (self == null) {
      throw new IllegalArgumentException("no " + type);
    }
    TypeView left = types.get(TypeId.entity("A"));
    TypeView right = types.get(TypeId.entity("B"));
    return type.kind() == TypeKind.ENTITY || left == null || right == null
        ? new Binding(self, Map.of())
        : new Binding(self, Map.of(Side.LEFT, left, Side.RIGHT, right));
  }

  private Window everything() {
    return new Window(0, pinnedHead.head().commitId(), Shape.HISTORY);
  }

  /** The rows from the files, as a ledger reads them. */
  RowSource parquetRows() {
    return new LedgerRowSource(new LatestRows(objects, manifestChain), pinnedHead);
  }

  /** The rows from memory. */
  RowSource memoryRows() {
    return (type, window, consumer) -> {
      Map<Identity, LazyRow> last = new LinkedHashMap<>();
      for (LazyRow lazyRow : rows.getOrDefault(type.id(), List.of())) {
        long commit = lazyRow.row().commitId();
        if (commit > window.lowerExclusive() && commit <= window.upper()) {
          if (window.shape() == Shape.HISTORY) {
            consumer.accept(lazyRow);
          } else {
            last.put(lazyRow.row().identity(), lazyRow);
          }
        }
      }
      last.values().forEach(consumer);
    };
  }

  private DataFileCache files(Path cache) {
    return new DataFileCache(objects, cache, Long.MAX_VALUE);
  }

  /** The rows in the files, for SQL. */
  ParquetRowSource parquet(Path cache) {
    return new ParquetRowSource(
        pinnedHead, new TypeFileCache(objects, manifestChain), files(cache));
  }

  /**
   * The rows in tables that are filled from the files once: every version, and for each commit the
   * state at it. To find the state anew for each query would take most of the time.
   */
  SqlRowSource tables(DuckDbDatabase database, Path cache) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (TypeView type : types.values()) {
        create(statement, table(type), parquet(cache).relation(type, everything(), KeyFilter.ANY));
        for (long commit = 0; commit <= head(); commit++) {
          Window state = new Window(0, commit, Shape.STATE);
          create(
              statement,
              table(type) + commit,
              StateSql.of(type, state, KeyFilter.ANY, table(type)));
        }
      }
    }
    return new SqlRowSource() {
      @Override
      public String relation(TypeView type, Window window, KeyFilter keyFilter) {
        return window.shape() == Shape.HISTORY
            ? StateSql.of(type, window, KeyFilter.ANY, table(type))
            : table(type) + window.upper();
      }

      @Override
      public boolean isCheapToPlan() {
        return false; // planning is most of the work here; the replicas have their rows by vectors
      }
    };
  }

  /** The rows in a replica, which is fed commit by commit or with several at once. */
  ReplicaExecutor replica(Path cache, RandomGenerator random) {
    Replica replica =
        new Replica(
            new Replica.ReplicaSettings(cache.resolve("replicas").resolve(name), "256MB"),
            objects,
            manifestChain,
            new TypeFileCache(objects, manifestChain),
            files(cache.resolve("files")));
    opened.add(replica);
    for (PinnedHead before : bases) {
      if (random.nextBoolean()) {
        ReplicaExecutor then = onReplica(replica, before);
        types.values().forEach(type -> assertThat(then.explain(everythingOf(type))).isPresent());
      }
    }
    return onReplica(replica, pinnedHead);
  }

  /** Nothing is left to the files. */
  private static ReplicaExecutor onReplica(Replica replica, PinnedHead pinnedHead) {
    return new ReplicaExecutor(
        replica, LoadPolicy.EVERY_TYPE, pinnedHead, new UnusedExecutor(), new CancellationToken());
  }

  private QueryPlan everythingOf(TypeView type) {
    return QueryPlan.of(Query.of(type.id()), everything(), binding(type.id()), Optional.empty());
  }

  private static final class UnusedExecutor implements QueryExecutor {
    @Override
    public Stream<MatchedRow> rows(QueryPlan queryPlan) {
      throw new AssertionError("the replica failed");
    }

    @Override
    public List<Group> groups(QueryPlan queryPlan) {
      throw new AssertionError("the replica failed");
    }

    @Override
    public SortedMap<Long, Long> versions(QueryPlan queryPlan, TypeView type, Window window) {
      throw new AssertionError("the replica failed");
    }
  }

  private static void create(Statement statement, String table, String rows) throws SQLException {
    statement.execute("CREATE TABLE " + table + " AS SELECT * FROM " + rows);
  }

  private String table(TypeView type) {
    return name + "_" + type.id().name();
  }

  @Override
  public void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    store.close();
  }
}
