// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.Session.Size;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Cells;
import io.tidemark.ledger.internal.plan.Executor;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Grouping.Having;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.Stop;
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

/** Answers queries by DuckDB. */
public final class DuckDbExecutor implements Executor {

  static final String STREAM_RESULTS = "jdbc_stream_results";

  private static final int ATTEMPTS = 3;

  /** Of so many rows the time that JDBC takes for their texts is that of planning a statement. */
  private static final int FEW = 500;

  private final DuckDbDatabase database;
  private final Relations relations;
  private final SqlCompiler compiler;
  private final Stop stop;

  public DuckDbExecutor(DuckDbDatabase database, Relations relations, Stop stop) {
    this.database = database;
    this.relations = relations;
    this.compiler = new SqlCompiler(relations);
    this.stop = stop;
  }

  @Override
  public Stream<Found> rows(Plan plan) {
    return asked(
        () -> {
          String sql = compiler.rows(plan);
          return RowStream.open(database.session(stop), sql, plan, size(plan));
        });
  }

  /** Rows that are looked up by key are few, and so are those of a small page. */
  private Size size(Plan plan) {
    boolean few = plan.query().limit().orElse(Long.MAX_VALUE) <= FEW || Keys.of(plan).areKnown();
    return few || !relations.isSoonPlanned() ? Size.SMALL : Size.LARGE;
  }

  @Override
  public List<Group> groups(Plan plan) {
    return asked(() -> groups(plan, compiler.groups(plan)));
  }

  @Override
  public SortedMap<Long, Long> versions(Plan plan, TypeView type, Window window) {
    return versions(type, window);
  }

  /** How many rows of a window are of each version of the schema of their type. */
  public SortedMap<Long, Long> versions(TypeView type, Window window) {
    return asked(
        () -> {
          String rows = relations.of(type, window, Keys.ANY);
          return versions("SELECT schema_version_id, count(*) FROM " + rows + " GROUP BY ALL");
        });
  }

  private SortedMap<Long, Long> versions(String sql) throws SQLException {
    try (Session session = database.session(stop)) {
      try (ResultSet result = session.small(sql)) {
        SortedMap<Long, Long> counts = new TreeMap<>();
        while (result.next()) {
          counts.merge(result.getLong(1), result.getLong(2), Long::sum);
        }
        return counts;
      } catch (SQLException e) {
        session.spoil();
        throw session.cause(e, sql);
      } catch (RuntimeException e) {
        session.spoil();
        throw e;
      }
    }
  }

  @FunctionalInterface
  private interface Asking<A> {
    A ask() throws SQLException;
  }

  /** Asks again when it was because of files that have gone meanwhile. */
  private <A> A asked(Asking<A> question) {
    for (int attempt = 1; true; attempt++) {
      try {
        return question.ask();
      } catch (SQLException e) {
        stop.check();
        if (attempt == ATTEMPTS || !relations.isOutdated()) {
          throw new QueryFailedException(e);
        }
      }
    }
  }

  private List<Group> groups(Plan plan, SqlCompiler.Groups groups) throws SQLException {
    try (Session session = database.session(stop)) {
      try (ResultSet result = session.small(groups.sql())) {
        List<Keyed> all = new ArrayList<>();
        while (result.next()) {
          read(plan, groups, result).ifPresent(all::add);
        }
        all.sort(DuckDbExecutor::compare);
        return all.stream().map(Keyed::group).toList();
      } catch (SQLException e) {
        session.spoil();
        throw session.cause(e, groups.sql());
      } catch (RuntimeException e) {
        session.spoil();
        throw e;
      }
    }
  }

  /** A group, and what it is ordered by. */
  private record Keyed(List<Cell> cells, Group group) {}

  /** What has no place in the order is last. */
  private static int compare(Keyed one, Keyed other) {
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

  private static Optional<Keyed> read(Plan plan, SqlCompiler.Groups groups, ResultSet result)
      throws SQLException {
    int[] next = {1};
    List<Cell> key = new ArrayList<>();
    for (FigureSql part : groups.keys()) {
      key.add(read(part, result, next));
    }
    List<Cell> figures = new ArrayList<>();
    for (FigureSql figure : groups.figures()) {
      figures.add(read(figure, result, next));
    }
    Optional<Having> having = plan.grouping().orElseThrow().having();
    if (having.isPresent() && !holds(having.get(), figures.remove(figures.size() - 1))) {
      return Optional.empty();
    }
    Group group =
        new Group(
            key.stream().map(Cells::json).toList(), figures.stream().map(Cells::json).toList());
    return Optional.of(new Keyed(key, group));
  }

  private static boolean holds(Having having, Cell figure) {
    OptionalInt compared = figure.compare(having.value());
    return compared.isPresent() && having.comparison().holds(compared.getAsInt());
  }

  private static Cell read(FigureSql figure, ResultSet result, int[] next) throws SQLException {
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

  /** The statement that a plan becomes. */
  public String sql(Plan plan) {
    return plan.grouping().isPresent() ? compiler.groups(plan).sql() : compiler.rows(plan);
  }

  /** How DuckDB goes about a statement, which it does, and leaves the answer aside. */
  public Explanation.Course howItGoes(String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      String steps = text(statement, "EXPLAIN " + sql);
      try (Stop.Running unused = stop.running(statement)) {
        String profile = text(statement, "EXPLAIN (ANALYZE, FORMAT json) " + sql);
        return new Explanation.Course(steps, Optional.of(Profile.work(profile)));
      }
    } catch (SQLException e) {
      stop.check();
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
