// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.DuckDbSession.Size;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.CellConverter;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Grouping.Having;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryExecutor;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.Window;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Executor of queries on DuckDB. */
public final class DuckDbExecutor implements QueryExecutor {

  static final String STREAM_RESULTS = "jdbc_stream_results";

  private static final int ATTEMPTS = 3;

  /**
   * Number of rows for which JDBC takes as long for their texts as DuckDB for planning a statement.
   */
  private static final int FEW = 500;

  private final DuckDbDatabase database;
  private final SqlRowSource sqlRowSource;
  private final SqlCompiler compiler;
  private final CancellationToken cancellationToken;

  public DuckDbExecutor(
      DuckDbDatabase database, SqlRowSource sqlRowSource, CancellationToken cancellationToken) {
    this.database = database;
    this.sqlRowSource = sqlRowSource;
    this.compiler = new SqlCompiler(sqlRowSource);
    this.cancellationToken = cancellationToken;
  }

  @Override
  public Stream<MatchedRow> rows(QueryPlan queryPlan) {
    return withRetry(
        () -> {
          String sql = compiler.rows(queryPlan);
          return RowStream.open(
              database.session(cancellationToken), sql, queryPlan, size(queryPlan));
        });
  }

  /**
   * Returns the expected size of an answer: look-ups by key have few rows, and so has a small page.
   */
  private Size size(QueryPlan queryPlan) {
    boolean few =
        queryPlan.query().limit().orElse(Long.MAX_VALUE) <= FEW
            || KeyFilter.of(queryPlan).areKnown();
    return few || !sqlRowSource.isCheapToPlan() ? Size.SMALL : Size.LARGE;
  }

  @Override
  public List<Group> groups(QueryPlan queryPlan) {
    return withRetry(() -> groups(queryPlan, compiler.groups(queryPlan)));
  }

  @Override
  public SortedMap<Long, Long> versions(QueryPlan queryPlan, TypeView type, Window window) {
    return versions(type, window);
  }

  /** Returns the number of rows of a window for each version of the schema of their type. */
  public SortedMap<Long, Long> versions(TypeView type, Window window) {
    return withRetry(
        () -> {
          String rows = sqlRowSource.relation(type, window, KeyFilter.ANY);
          return versions("SELECT schema_version_id, count(*) FROM " + rows + " GROUP BY ALL");
        });
  }

  private SortedMap<Long, Long> versions(String sql) throws SQLException {
    try (DuckDbSession duckDbSession = database.session(cancellationToken)) {
      try (ResultSet result = duckDbSession.executeSmall(sql)) {
        SortedMap<Long, Long> counts = new TreeMap<>();
        while (result.next()) {
          counts.merge(result.getLong(1), result.getLong(2), Long::sum);
        }
        return counts;
      } catch (SQLException e) {
        duckDbSession.markBroken();
        throw duckDbSession.cause(e, sql);
      } catch (RuntimeException e) {
        duckDbSession.markBroken();
        throw e;
      }
    }
  }

  @FunctionalInterface
  private interface RetryableQuery<A> {
    A ask() throws SQLException;
  }

  /** Runs a query, and once more if files that it needs were deleted meanwhile. */
  private <A> A withRetry(RetryableQuery<A> question) {
    for (int attempt = 1; true; attempt++) {
      try {
        return question.ask();
      } catch (SQLException e) {
        cancellationToken.throwIfCancelled();
        if (attempt == ATTEMPTS || !sqlRowSource.isStale()) {
          throw new QueryFailedException(e);
        }
      }
    }
  }

  private List<Group> groups(QueryPlan queryPlan, SqlCompiler.Groups groups) throws SQLException {
    try (DuckDbSession duckDbSession = database.session(cancellationToken)) {
      try (ResultSet result = duckDbSession.executeSmall(groups.sql())) {
        List<SortableGroup> all = new ArrayList<>();
        while (result.next()) {
          read(queryPlan, groups, result).ifPresent(all::add);
        }
        all.sort(DuckDbExecutor::compare);
        return all.stream().map(SortableGroup::group).toList();
      } catch (SQLException e) {
        duckDbSession.markBroken();
        throw duckDbSession.cause(e, groups.sql());
      } catch (RuntimeException e) {
        duckDbSession.markBroken();
        throw e;
      }
    }
  }

  /** Group with its sort keys. */
  private record SortableGroup(List<Cell> cells, Group group) {}

  /** Compares groups; those without a sort value are last. */
  private static int compare(SortableGroup one, SortableGroup other) {
    for (int i = 0; i < one.cells.size(); i++) {
      Cell a = one.cells.get(i);
      Cell b = other.cells.get(i);
      int compared =
          a.isOrdered() && b.isOrdered()
              ? Cell.order(a, b)
              : Boolean.compare(b.isOrdered(), a.isOrdered());
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static Optional<SortableGroup> read(
      QueryPlan queryPlan, SqlCompiler.Groups groups, ResultSet result) throws SQLException {
    int[] next = {1};
    List<Cell> key = new ArrayList<>();
    for (AggregateSql part : groups.keys()) {
      key.add(read(part, result, next));
    }
    List<Cell> figures = new ArrayList<>();
    for (AggregateSql figure : groups.figures()) {
      figures.add(read(figure, result, next));
    }
    Optional<Having> having = queryPlan.grouping().orElseThrow().having();
    if (having.isPresent() && !holds(having.get(), figures.remove(figures.size() - 1))) {
      return Optional.empty();
    }
    Group group =
        new Group(
            key.stream().map(CellConverter::json).toList(),
            figures.stream().map(CellConverter::json).toList());
    return Optional.of(new SortableGroup(key, group));
  }

  private static boolean holds(Having having, Cell figure) {
    OptionalInt compared = figure.compare(having.value());
    return compared.isPresent() && having.comparison().holds(compared.getAsInt());
  }

  private static Cell read(AggregateSql figure, ResultSet result, int[] next) throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < figure.columns().size(); i++) {
      Object value = result.getObject(next[0]++);
      if (value instanceof Struct struct) {
        values.addAll(Arrays.asList(struct.getAttributes()));
      } else {
        values.add(value);
      }
    }
    return figure.reader().read(values);
  }

  /** Returns the statement of a plan. */
  public String sql(QueryPlan queryPlan) {
    return queryPlan.grouping().isPresent()
        ? compiler.groups(queryPlan).sql()
        : compiler.rows(queryPlan);
  }

  /** Runs a statement, discards its answer, and returns DuckDB's explanation of it. */
  public Explanation.Execution explain(String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      String steps = text(statement, "EXPLAIN " + sql);
      try (CancellationToken.Registration unused = cancellationToken.register(statement)) {
        String profile = text(statement, "EXPLAIN (ANALYZE, FORMAT json) " + sql);
        return new Explanation.Execution(steps, Optional.of(ProfileParser.work(profile)));
      }
    } catch (SQLException e) {
      cancellationToken.throwIfCancelled();
      throw new QueryFailedException(e);
    }
  }

  private static String text(Statement statement, String sql) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        text.append(result.getString(2));
      }
    }
    return text.toString();
  }
}
