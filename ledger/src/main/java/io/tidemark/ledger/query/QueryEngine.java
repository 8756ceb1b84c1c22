// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.DuckDbExecutor;
import io.tidemark.ledger.internal.duckdb.KnownFiles;
import io.tidemark.ledger.internal.duckdb.LocalFiles;
import io.tidemark.ledger.internal.duckdb.ParquetRelations;
import io.tidemark.ledger.internal.duckdb.SpillPlace;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Executor;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.Sides;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.OnReplica;
import io.tidemark.ledger.internal.replica.Replica;
import io.tidemark.ledger.internal.replica.Replica.Eagerness;
import io.tidemark.ledger.internal.replica.ReplicaExecutor;
import io.tidemark.ledger.internal.scan.LedgerRows;
import io.tidemark.ledger.internal.scan.ScanExecutor;
import io.tidemark.ledger.internal.sql.SqlProcesses;
import io.tidemark.ledger.internal.sql.SqlRunner;
import io.tidemark.ledger.internal.sql.SqlSource;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.TypeFiles;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.Temporal;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.objects.natives.DuckDbLibrary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What queries of one ledger share. Each query looks at the head once, at the price of one
 * conditional read, and all that it does is as of that head.
 */
public final class QueryEngine implements AutoCloseable {

  /** So many files are read one after the other in less time than DuckDB takes to start. */
  private static final int FEW_FILES = 8;

  /** So many bytes of files have some thousand rows, which take Java less time than that, too. */
  private static final long SMALL = 64 << 10;

  private static final String SCAN_OF_SMALL =
      "a scan, since the files are small; larger ones by duckdb, as here";

  private final LedgerObjects objects;
  private final Chain chain;
  private final Heads heads;
  private final Types types;
  private final QuerySettings settings;
  private final KnownFiles known;
  private final LocalFiles files;
  private final DuckDbDatabase database;
  private final Replica replica;
  private final SqlRunner sql;

  public QueryEngine(
      LedgerObjects objects, Chain chain, Heads heads, Catalog catalog, QuerySettings settings) {
    this.objects = objects;
    this.chain = chain;
    this.heads = heads;
    this.types = new Types(catalog);
    this.settings = settings;
    if (settings.engine() != Engine.SCAN) {
      DuckDbLibrary.useCache(settings.cache());
    }
    this.known = new KnownFiles(objects, chain);
    this.files = new LocalFiles(objects, settings.cache().resolve("files"), settings.cacheBytes());
    Path spill = SpillPlace.in(settings.cache().resolve("spill"));
    this.database = new DuckDbDatabase(spill, settings.memoryLimit());
    Replica.Room room =
        new Replica.Room(settings.cache().resolve("replicas"), settings.memoryLimit());
    this.replica = new Replica(room, objects, chain, known, files);
    this.sql = runner(settings);
  }

  private static SqlRunner runner(QuerySettings settings) {
    return switch (settings.isolation()) {
      case THIS_PROCESS -> SqlRunner.inThisProcess(settings.cache().resolve("spill"));
      case OWN_PROCESS -> SqlProcesses.in(settings.cache());
      case UNLIMITED_PROCESS -> SqlProcesses.withoutNeedOfLimits(settings.cache());
    };
  }

  /** The head as it is now, to which a query is pinned. */
  Base pin() {
    return heads.refresh();
  }

  /**
   * Holds a query to the types of the ledger.
   *
   * @param declared the type as a record declares it, if one does
   */
  Plan plan(Base base, Query query, Optional<Grouping> grouping, Optional<TypeSchema> declared) {
    OptionalLong schemaOf = schemaOf(query.temporal(), base);
    Optional<TypeView> stored = types.view(query.type(), base, schemaOf);
    if (stored.isPresent() && declared.isPresent()) {
      requireSame(stored.get(), declared.get());
    }
    // A type that was never written, or was dropped, has no rows. That is no mistake.
    TypeView self =
        stored
            .or(() -> declared.map(schema -> TypeView.of(schema, 0)))
            .orElseGet(() -> TypeView.absent(query.type()));
    Binding binding = new Binding(self, ends(self, Sides.of(query, grouping), base, schemaOf));
    return Plan.of(query, new Moments(chain).window(base, query), binding, grouping);
  }

  private static void requireSame(TypeView stored, TypeSchema declared) {
    SchemaDiff diff = SchemaDiff.between(stored.schema(), stored.versionId(), declared);
    if (!diff.isEmpty()) {
      throw new SchemaOutdatedException(List.of(diff));
    }
  }

  private Map<Side, TypeView> ends(
      TypeView self, Set<Side> sides, Base base, OptionalLong schemaOf) {
    Map<Side, TypeView> ends = new EnumMap<>(Side.class);
    if (self.schema().identity() instanceof Endpoints of) {
      for (Side side : sides) {
        String name = side == Side.LEFT ? of.leftType() : of.rightType();
        types.view(TypeId.entity(name), base, schemaOf).ifPresent(view -> ends.put(side, view));
      }
    }
    return ends;
  }

  /** Returns the schema of a type, or empty if the ledger doesn't have the type. */
  Optional<TypeView> find(TypeId type, Base base, Temporal temporal) {
    return types.view(type, base, schemaOf(temporal, base));
  }

  /** The commit whose schemas rows are shown in; empty for those of now. */
  private OptionalLong schemaOf(Temporal temporal, Base base) {
    return temporal
        .schemaOf()
        .map(moment -> new Moments(chain).upper(base, moment, base.head().commitId()))
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  private TypeView view(TypeId type, Base base, Temporal temporal) {
    return find(type, base, temporal)
        .orElseThrow(
            () ->
                new InvalidQueryException(
                    "there is no " + type + "; the ledger has " + types.all()));
  }

  /** Returns what answers a plan as of a head. */
  Executor executor(Plan plan, Base base, Stop stop) {
    if (isScanned(plan, base)) {
      return new ScanExecutor(new LedgerRows(new LatestRows(objects, chain), base));
    }
    Executor onFiles = new DuckDbExecutor(database, new ParquetRelations(base, known, files), stop);
    return settings.replica() == Replication.NONE ? onFiles : onReplica(base, onFiles, stop);
  }

  private boolean isScanned(Plan plan, Base base) {
    return switch (settings.engine()) {
      case SCAN -> true;
      case DUCKDB -> false;
      case BY_SIZE -> isSmall(plan, base);
    };
  }

  /** Whether the files that a plan looks at are few and small. One that doesn't say isn't. */
  private boolean isSmall(Plan plan, Base base) {
    List<TypeView> types = new ArrayList<>(plan.binding().ends().values());
    types.add(plan.binding().self());
    List<TypeFiles.Source> sources = new ArrayList<>();
    for (TypeView type : types) {
      sources.addAll(known.resolve(type.id(), base, plan.window().state()).sources());
    }
    return sources.size() <= FEW_FILES
        && sources.stream().mapToLong(each -> each.bytes().orElse(SMALL + 1)).sum() <= SMALL;
  }

  private ReplicaExecutor onReplica(Base base, Executor onFiles, Stop stop) {
    Eagerness eagerness =
        settings.replica() == Replication.KEPT ? Eagerness.EVERY_TYPE : Eagerness.MANY_FILES;
    return new ReplicaExecutor(replica, eagerness, base, onFiles, stop);
  }

  /** The ledger at a moment as SQL sees it: the same rows that queries find. */
  SqlSource sqlSource(Temporal temporal) {
    Base base = pin();
    long upper = new Moments(chain).upper(base, temporal.upTo(), base.head().commitId());
    return new SqlSource(
        types.all(base),
        type -> view(type, base, temporal),
        new ParquetRelations(base, known, files),
        new Window(0, upper, Shape.STATE),
        new Window(0, upper, Shape.HISTORY),
        () -> commits(base, upper));
  }

  private Stream<Manifest> commits(Base base, long upper) {
    Optional<Manifest> newest =
        upper == 0 ? Optional.empty() : base.newest().map(head -> chain.find(head, upper));
    return Stream.iterate(newest, Optional::isPresent, each -> each.flatMap(chain::parent))
        .map(Optional::orElseThrow);
  }

  /** Where statements in SQL run. */
  SqlRunner sqlRunner() {
    return sql;
  }

  /** The types of which a plan looks at rows of other versions than they are shown in. */
  List<VersionMix> versions(Plan plan, Base base, Stop stop) {
    List<VersionMix> mixes = new ArrayList<>();
    Executor executor = executor(plan, base, stop);
    Binding binding = plan.binding();
    Window ends = plan.judgesEndVersions() ? plan.window() : plan.window().state();
    mix(binding.self(), plan.window(), base, type -> executor.versions(plan, type, plan.window()))
        .ifPresent(mixes::add);
    binding.ends().values().stream()
        .distinct()
        .forEach(
            end ->
                mix(end, ends, base, type -> executor.versions(plan, type, ends))
                    .ifPresent(mixes::add));
    return mixes;
  }

  /** Returns the schema versions of the rows in the tables that a statement reads. */
  List<VersionMix> versions(SqlSource source, Stop stop) {
    DuckDbExecutor executor = new DuckDbExecutor(database, source.relations(), stop);
    List<VersionMix> mixes = new ArrayList<>();
    for (ParquetRelations.Asked asked : source.relations().asked()) {
      mix(
              asked.type(),
              asked.window(),
              source.relations().base(),
              type -> executor.versions(type, asked.window()))
          .ifPresent(mixes::add);
    }
    return mixes;
  }

  /** Rows are only counted where they may be of another version. */
  private Optional<VersionMix> mix(
      TypeView type, Window window, Base base, Function<TypeView, SortedMap<Long, Long>> counted) {
    if (type.others().isEmpty() || window.isEmpty() || isOfOneVersion(type, window, base)) {
      return Optional.empty();
    }
    SortedMap<Long, Long> rows = new TreeMap<>(counted.apply(type));
    rows.keySet().retainAll(type.others().keySet());
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(VersionMix.of(type.id(), type.versionId(), rows, type.others()));
  }

  /** A migration writes every row anew, so a state has the version that its commit says. */
  private boolean isOfOneVersion(TypeView type, Window window, Base base) {
    return window.shape() == Shape.STATE
        && base.newest()
            .map(newest -> chain.find(newest, Math.min(window.upper(), newest.commitId())))
            .filter(commit -> commit.type(type.id()).version() == type.versionId())
            .isPresent();
  }

  /**
   * How a plan is answered, which is done to see what it takes: by DuckDB, if not always by Java.
   */
  Explanation explain(Plan plan, Base base, Stop stop) {
    List<VersionMix> versions = versions(plan, base, stop);
    if (settings.engine() == Engine.SCAN) {
      Explanation.Course course =
          new Explanation.Course("every row is looked at", Optional.empty());
      return explanation("scan", plan, base, versions, "", List.of(), course);
    }
    ParquetRelations relations = new ParquetRelations(base, known, files);
    DuckDbExecutor onFiles = new DuckDbExecutor(database, relations, stop);
    boolean scanned = isScanned(plan, base);
    if (!scanned && settings.replica() != Replication.NONE) {
      Optional<OnReplica> how = onReplica(base, onFiles, stop).onReplica(plan);
      if (how.isPresent()) {
        OnReplica on = how.get();
        return explanation(
            "duckdb on a replica", plan, base, versions, on.sql(), on.fed(), on.course());
      }
    }
    String sql = onFiles.sql(plan);
    Explanation.Course course = onFiles.howItGoes(sql);
    String engine = scanned ? SCAN_OF_SMALL : "duckdb on files";
    return explanation(engine, plan, base, versions, sql, relations.files(), course);
  }

  private static Explanation explanation(
      String engine,
      Plan plan,
      Base base,
      List<VersionMix> versions,
      String sql,
      List<Explanation.File> files,
      Explanation.Course course) {
    String filter = plan.query().filter().toString();
    long head = base.head().commitId();
    return new Explanation(engine, head, plan.window(), versions, filter, sql, files, course);
  }

  /** Ends queries that are under way. */
  @Override
  public void close() {
    sql.close();
    replica.close();
    database.close();
  }
}
