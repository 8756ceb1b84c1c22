// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.FieldLineage;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Executor;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica;
import io.tidemark.ledger.internal.replica.Replica.Eagerness;
import io.tidemark.ledger.internal.replica.ReplicaExecutor;
import io.tidemark.ledger.internal.scan.LedgerRows;
import io.tidemark.ledger.internal.scan.RowSource;
import io.tidemark.ledger.internal.scan.View;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
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
final class RandomWorld implements AutoCloseable {

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
  private final Chain chain = new Chain(objects);
  private final Map<TypeId, TypeView> types = new LinkedHashMap<>();
  private final Map<TypeId, List<TypeView>> everyVersion = new LinkedHashMap<>();
  private final Map<TypeId, List<View>> rows = new HashMap<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<Base> bases = new ArrayList<>();
  private final String name;
  private final Base base;

  RandomWorld(String name, RandomGenerator random) {
    this.name = name;
    new LedgerInit(store, "").init();
    List<TypeSchema> schemas = schemas(random);
    Heads heads = new Heads(objects, chain);
    try (Ledger ledger = Ledger.open(store, "", LedgerOptions.standard())) {
      int commits = 1 + random.nextInt(6);
      for (int i = 0; i < commits || heads.refresh().newest().isEmpty(); i++) {
        commit(ledger, schemas, random);
        bases.add(heads.refresh());
        if (heads.refresh().newest().isPresent() && random.nextInt(3) == 0) {
          schemas = RandomMigration.of(ledger, schemas, random).run();
          bases.add(heads.refresh());
        }
      }
    }
    this.base = heads.refresh();
    Catalog catalog = new Catalog(objects, chain);
    for (TypeSchema schema : schemas) {
      List<SchemaVersion> versions = catalog.history(schema.id(), base);
      List<TypeView> views = versions.stream().map(version -> view(versions, version)).toList();
      everyVersion.put(schema.id(), views);
      TypeView view = views.get(views.size() - 1);
      types.put(schema.id(), view);
      List<View> all = new ArrayList<>();
      parquetRows().forEach(view, everything(), all::add);
      rows.put(schema.id(), all);
    }
  }

  private static TypeView view(List<SchemaVersion> versions, SchemaVersion shown) {
    return TypeView.of(
        StoredSchema.parse(shown.schemaJson()).schema(),
        shown.id(),
        new FieldLineage(versions).onto(shown));
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
        if (schema.id().kind() == Kind.RELATION) {
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
    return base.head().commitId();
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
    return type.kind() == Kind.ENTITY || left == null || right == null
        ? new Binding(self, Map.of())
        : new Binding(self, Map.of(Side.LEFT, left, Side.RIGHT, right));
  }

  private Window everything() {
    return new Window(0, base.head().commitId(), Shape.HISTORY);
  }

  /** The rows from the files, as a ledger reads them. */
  RowSource parquetRows() {
    return new LedgerRows(new LatestRows(objects, chain), base);
  }

  /** The rows from memory. */
  RowSource memoryRows() {
    return (type, window, consumer) -> {
      Map<Identity, View> last = new LinkedHashMap<>();
      for (View view : rows.getOrDefault(type.id(), List.of())) {
        long commit = view.row().commitId();
        if (commit > window.lowerExclusive() && commit <= window.upper()) {
          if (window.shape() == Shape.HISTORY) {
            consumer.accept(view);
          } else {
            last.put(view.row().identity(), view);
          }
        }
      }
      last.values().forEach(consumer);
    };
  }

  private LocalFiles files(Path cache) {
    return new LocalFiles(objects, cache, Long.MAX_VALUE);
  }

  /** The rows in the files, for SQL. */
  ParquetRelations parquet(Path cache) {
    return new ParquetRelations(base, new KnownFiles(objects, chain), files(cache));
  }

  /**
   * The rows in tables that are filled from the files once: every version, and for each commit the
   * state at it. To find the state anew for each query would take most of the time.
   */
  Relations tables(DuckDbDatabase database, Path cache) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (TypeView type : types.values()) {
        create(statement, table(type), parquet(cache).of(type, everything(), Keys.ANY));
        for (long commit = 0; commit <= head(); commit++) {
          Window state = new Window(0, commit, Shape.STATE);
          create(statement, table(type) + commit, StateSql.of(type, state, Keys.ANY, table(type)));
        }
      }
    }
    return new Relations() {
      @Override
      public String of(TypeView type, Window window, Keys keys) {
        return window.shape() == Shape.HISTORY
            ? StateSql.of(type, window, Keys.ANY, table(type))
            : table(type) + window.upper();
      }

      @Override
      public boolean isSoonPlanned() {
        return false; // planning is most of the work here; the replicas have their rows by vectors
      }
    };
  }

  /** The rows in a replica, which is fed commit by commit or with several at once. */
  ReplicaExecutor replica(Path cache, RandomGenerator random) {
    Replica replica =
        new Replica(
            new Replica.Room(cache.resolve("replicas").resolve(name), "256MB"),
            objects,
            chain,
            new KnownFiles(objects, chain),
            files(cache.resolve("files")));
    opened.add(replica);
    for (Base before : bases) {
      if (random.nextBoolean()) {
        ReplicaExecutor then = onReplica(replica, before);
        types.values().forEach(type -> assertThat(then.onReplica(everythingOf(type))).isPresent());
      }
    }
    return onReplica(replica, base);
  }

  /** Nothing is left to the files. */
  private static ReplicaExecutor onReplica(Replica replica, Base base) {
    return new ReplicaExecutor(replica, Eagerness.EVERY_TYPE, base, new Unasked(), new Stop());
  }

  private Plan everythingOf(TypeView type) {
    return Plan.of(Query.of(type.id()), everything(), binding(type.id()), Optional.empty());
  }

  private static final class Unasked implements Executor {
    @Override
    public Stream<Found> rows(Plan plan) {
      throw new AssertionError("the replica failed");
    }

    @Override
    public List<Group> groups(Plan plan) {
      throw new AssertionError("the replica failed");
    }

    @Override
    public SortedMap<Long, Long> versions(Plan plan, TypeView type, Window window) {
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
