// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.duckdb.DataFileCache;
import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.DuckDbExecutor;
import io.tidemark.ledger.internal.duckdb.ParquetRowSource;
import io.tidemark.ledger.internal.duckdb.SpillDirectory;
import io.tidemark.ledger.internal.duckdb.TypeFileCache;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.QueryExecutor;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.ReferencedSides;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.Replica;
import io.tidemark.ledger.internal.replica.Replica.LoadPolicy;
import io.tidemark.ledger.internal.replica.ReplicaExecutor;
import io.tidemark.ledger.internal.replica.ReplicaExplanation;
import io.tidemark.ledger.internal.scan.LedgerRowSource;
import io.tidemark.ledger.internal.scan.ScanExecutor;
import io.tidemark.ledger.internal.sql.SqlProcessPool;
import io.tidemark.ledger.internal.sql.SqlRunner;
import io.tidemark.ledger.internal.sql.SqlSource;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.TemporalScope;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.Explanation;
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
 * Shared state of the queries of one ledger. Each query reads the head once, by one conditional
 * read, and is answered as of that head.
 */
public final class QueryEngine implements AutoCloseable {

  /** Number of files that are read one after the other in less time than DuckDB takes to start. */
  private static final int FEW_FILES = 8;

  /** Size of files with some thousand rows, which Java reads in less time than that, too. */
  private static final long SMALL = 64 << 10;

  private static final String SCAN_OF_SMALL =
      "a scan, since the files are small; larger ones by duckdb, as here";

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final HeadCache headCache;
  private final TypeCache typeCache;
  private final QuerySettings settings;
  private final TypeFileCache known;
  private final DataFileCache files;
  private final DuckDbDatabase database;
  private final Replica replica;
  private final SqlRunner sql;

  public QueryEngine(
      LedgerObjects objects,
      ManifestChain manifestChain,
      HeadCache headCache,
      Catalog catalog,
      QuerySettings settings) {
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.headCache = headCache;
    this.typeCache = new TypeCache(catalog);
    this.settings = settings;
    if (settings.engine() != Engine.SCAN) {
      DuckDbLibrary.useCache(settings.cache());
    }
    this.known = new TypeFileCache(objects, manifestChain);
    this.files =
        new DataFileCache(objects, settings.cache().resolve("files"), settings.cacheBytes());
    Path spill = SpillDirectory.newPath(settings.cache().resolve("spill"));
    this.database = new DuckDbDatabase(spill, settings.memoryLimit());
    Replica.ReplicaSettings replicaSettings =
        new Replica.ReplicaSettings(settings.cache().resolve("replicas"), settings.memoryLimit());
    this.replica = new Replica(replicaSettings, objects, manifestChain, known, files);
    this.sql = runner(settings);
  }

  private static SqlRunner runner(QuerySettings settings) {
    return switch (settings.isolation()) {
      case THIS_PROCESS -> SqlRunner.inThisProcess(settings.cache().resolve("spill"));
      case OWN_PROCESS -> SqlProcessPool.in(settings.cache());
      case UNLIMITED_PROCESS -> SqlProcessPool.withOptionalLimits(settings.cache());
    };
  }

  /** Returns the current head, to which a query is pinned. */
  PinnedHead pin() {
    return headCache.refresh();
  }

  /**
   * Checks a query against the types of the ledger, and plans it.
   *
   * @param declared the type as a record declares it, if one does
   */
  QueryPlan plan(
      PinnedHead pinnedHead,
      Query query,
      Optional<Grouping> grouping,
      Optional<TypeSchema> declared) {
    OptionalLong schemaOf = schemaOf(query.temporal(), pinnedHead);
    Optional<TypeView> stored = typeCache.view(query.type(), pinnedHead, schemaOf);
    if (stored.isPresent() && declared.isPresent()) {
      requireSame(stored.get(), declared.get());
    }
    // A type that was never written, or was dropped, has no rows. That is no mistake.
    TypeView self =
        stored
            .or(() -> declared.map(schema -> TypeView.of(schema, 0)))
            .orElseGet(() -> TypeView.absent(query.type()));
    Binding binding =
        new Binding(self, ends(self, ReferencedSides.of(query, grouping), pinnedHead, schemaOf));
    return QueryPlan.of(
        query, new WindowResolver(manifestChain).window(pinnedHead, query), binding, grouping);
  }

  private static void requireSame(TypeView stored, TypeSchema declared) {
    SchemaDiff diff = SchemaDiff.between(stored.schema(), stored.versionId(), declared);
    if (!diff.isEmpty()) {
      throw new SchemaOutdatedException(List.of(diff));
    }
  }

  private Map<Side, TypeView> ends(
      TypeView self, Set<Side> sides, PinnedHead pinnedHead, OptionalLong schemaOf) {
    Map<Side, TypeView> ends = new EnumMap<>(Side.class);
    if (self.schema().identity() instanceof Endpoints of) {
      for (Side side : sides) {
        String name = side == Side.LEFT ? of.leftType() : of.rightType();
        typeCache
            .view(TypeId.entity(name), pinnedHead, schemaOf)
            .ifPresent(view -> ends.put(side, view));
      }
    }
    return ends;
  }

  /** Returns the schema of a type, or empty if the ledger doesn't have the type. */
  Optional<TypeView> find(TypeId type, PinnedHead pinnedHead, TemporalScope temporalScope) {
    return typeCache.view(type, pinnedHead, schemaOf(temporalScope, pinnedHead));
  }

  /** Returns the commit whose schemas rows are shown in, or empty for the current schemas. */
  private OptionalLong schemaOf(TemporalScope temporalScope, PinnedHead pinnedHead) {
    return temporalScope
        .schemaOf()
        .map(
            moment ->
                new WindowResolver(manifestChain)
                    .upper(pinnedHead, moment, pinnedHead.head().commitId()))
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  private TypeView view(TypeId type, PinnedHead pinnedHead, TemporalScope temporalScope) {
    return find(type, pinnedHead, temporalScope)
        .orElseThrow(
            () ->
                new InvalidQueryException(
                    "there is no " + type + "; the ledger has " + typeCache.all()));
  }

  /** Returns the executor of a plan as of a head. */
  QueryExecutor executor(
      QueryPlan queryPlan, PinnedHead pinnedHead, CancellationToken cancellationToken) {
    if (isScanned(queryPlan, pinnedHead)) {
      return new ScanExecutor(
          new LedgerRowSource(new LatestRows(objects, manifestChain), pinnedHead));
    }
    QueryExecutor onFiles =
        new DuckDbExecutor(
            database, new ParquetRowSource(pinnedHead, known, files), cancellationToken);
    return settings.replica() == Replication.NONE
        ? onFiles
        : onReplica(pinnedHead, onFiles, cancellationToken);
  }

  private boolean isScanned(QueryPlan queryPlan, PinnedHead pinnedHead) {
    return switch (settings.engine()) {
      case SCAN -> true;
      case DUCKDB -> false;
      case BY_SIZE -> isSmall(queryPlan, pinnedHead);
    };
  }

  /**
   * Returns whether the files that a plan reads are few and small. A file of unknown size isn't.
   */
  private boolean isSmall(QueryPlan queryPlan, PinnedHead pinnedHead) {
    List<TypeView> types = new ArrayList<>(queryPlan.binding().ends().values());
    types.add(queryPlan.binding().self());
    List<TypeFileResolver.Source> sources = new ArrayList<>();
    for (TypeView type : types) {
      sources.addAll(known.resolve(type.id(), pinnedHead, queryPlan.window().state()).sources());
    }
    return sources.size() <= FEW_FILES
        && sources.stream().mapToLong(each -> each.bytes().orElse(SMALL + 1)).sum() <= SMALL;
  }

  private ReplicaExecutor onReplica(
      PinnedHead pinnedHead, QueryExecutor onFiles, CancellationToken cancellationToken) {
    LoadPolicy loadPolicy =
        settings.replica() == Replication.KEPT ? LoadPolicy.EVERY_TYPE : LoadPolicy.MANY_FILES;
    return new ReplicaExecutor(replica, loadPolicy, pinnedHead, onFiles, cancellationToken);
  }

  /** Returns the ledger at a moment as SQL sees it: the same rows that queries find. */
  SqlSource sqlSource(TemporalScope temporalScope) {
    PinnedHead pinnedHead = pin();
    long upper =
        new WindowResolver(manifestChain)
            .upper(pinnedHead, temporalScope.upTo(), pinnedHead.head().commitId());
    return new SqlSource(
        typeCache.all(pinnedHead),
        type -> view(type, pinnedHead, temporalScope),
        new ParquetRowSource(pinnedHead, known, files),
        new Window(0, upper, Shape.STATE),
        new Window(0, upper, Shape.HISTORY),
        () -> commits(pinnedHead, upper));
  }

  private Stream<Manifest> commits(PinnedHead pinnedHead, long upper) {
    Optional<Manifest> newest =
        upper == 0
            ? Optional.empty()
            : pinnedHead.newest().map(head -> manifestChain.find(head, upper));
    return Stream.iterate(newest, Optional::isPresent, each -> each.flatMap(manifestChain::parent))
        .map(Optional::orElseThrow);
  }

  /** Returns the runner of SQL statements. */
  SqlRunner sqlRunner() {
    return sql;
  }

  /** Returns the types of which a plan reads rows of other versions than they are shown in. */
  List<VersionMix> versions(
      QueryPlan queryPlan, PinnedHead pinnedHead, CancellationToken cancellationToken) {
    List<VersionMix> mixes = new ArrayList<>();
    QueryExecutor queryExecutor = executor(queryPlan, pinnedHead, cancellationToken);
    Binding binding = queryPlan.binding();
    Window ends = queryPlan.filtersEndVersions() ? queryPlan.window() : queryPlan.window().state();
    mix(
            binding.self(),
            queryPlan.window(),
            pinnedHead,
            type -> queryExecutor.versions(queryPlan, type, queryPlan.window()))
        .ifPresent(mixes::add);
    binding.ends().values().stream()
        .distinct()
        .forEach(
            end ->
                mix(end, ends, pinnedHead, type -> queryExecutor.versions(queryPlan, type, ends))
                    .ifPresent(mixes::add));
    return mixes;
  }

  /** Returns the schema versions of the rows in the tables that a statement reads. */
  List<VersionMix> versions(SqlSource source, CancellationToken cancellationToken) {
    DuckDbExecutor executor = new DuckDbExecutor(database, source.relations(), cancellationToken);
    List<VersionMix> mixes = new ArrayList<>();
    for (ParquetRowSource.RequestedType requestedType : source.relations().requestedTypes()) {
      mix(
              requestedType.type(),
              requestedType.window(),
              source.relations().base(),
              type -> executor.versions(type, requestedType.window()))
          .ifPresent(mixes::add);
    }
    return mixes;
  }

  /**
   * Returns the count of rows of other versions. Rows are only counted where they may be of another
   * version.
   */
  private Optional<VersionMix> mix(
      TypeView type,
      Window window,
      PinnedHead pinnedHead,
      Function<TypeView, SortedMap<Long, Long>> counted) {
    if (type.others().isEmpty() || window.isEmpty() || isOfOneVersion(type, window, pinnedHead)) {
      return Optional.empty();
    }
    SortedMap<Long, Long> rows = new TreeMap<>(counted.apply(type));
    rows.keySet().retainAll(type.others().keySet());
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(VersionMix.of(type.id(), type.versionId(), rows, type.others()));
  }

  /**
   * Returns whether all rows are of the shown version. A migration rewrites every row, so a state
   * has the version that its commit records.
   */
  private boolean isOfOneVersion(TypeView type, Window window, PinnedHead pinnedHead) {
    return window.shape() == Shape.STATE
        && pinnedHead
            .newest()
            .map(newest -> manifestChain.find(newest, Math.min(window.upper(), newest.commitId())))
            .filter(commit -> commit.type(type.id()).version() == type.versionId())
            .isPresent();
  }

  /**
   * Explains how a plan is answered, by running it: on DuckDB, unless the engine is always Java.
   */
  Explanation explain(
      QueryPlan queryPlan, PinnedHead pinnedHead, CancellationToken cancellationToken) {
    List<VersionMix> versions = versions(queryPlan, pinnedHead, cancellationToken);
    if (settings.engine() == Engine.SCAN) {
      Explanation.Execution execution =
          new Explanation.Execution("every row is looked at", Optional.empty());
      return explanation("scan", queryPlan, pinnedHead, versions, "", List.of(), execution);
    }
    ParquetRowSource relations = new ParquetRowSource(pinnedHead, known, files);
    DuckDbExecutor onFiles = new DuckDbExecutor(database, relations, cancellationToken);
    boolean scanned = isScanned(queryPlan, pinnedHead);
    if (!scanned && settings.replica() != Replication.NONE) {
      Optional<ReplicaExplanation> how =
          onReplica(pinnedHead, onFiles, cancellationToken).explain(queryPlan);
      if (how.isPresent()) {
        ReplicaExplanation on = how.get();
        return explanation(
            "duckdb on a replica",
            queryPlan,
            pinnedHead,
            versions,
            on.sql(),
            on.fed(),
            on.course());
      }
    }
    String sql = onFiles.sql(queryPlan);
    Explanation.Execution execution = onFiles.explain(sql);
    String engine = scanned ? SCAN_OF_SMALL : "duckdb on files";
    return explanation(engine, queryPlan, pinnedHead, versions, sql, relations.files(), execution);
  }

  private static Explanation explanation(
      String engine,
      QueryPlan queryPlan,
      PinnedHead pinnedHead,
      List<VersionMix> versions,
      String sql,
      List<Explanation.File> files,
      Explanation.Execution execution) {
    String filter = queryPlan.query().filter().toString();
    long head = pinnedHead.head().commitId();
    return new Explanation(
        engine, head, queryPlan.window(), versions, filter, sql, files, execution);
  }

  /** Ends the queries that are under way. */
  @Override
  public void close() {
    sql.close();
    replica.close();
    database.close();
  }
}
