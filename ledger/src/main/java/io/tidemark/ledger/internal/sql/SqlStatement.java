// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.duckdb.KeyFilter;
import io.tidemark.ledger.internal.duckdb.RowColumns;
import io.tidemark.ledger.internal.duckdb.SqlQuoting;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.QueryCancelledException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Statement of a caller, with what it may use.
 *
 * @param parameters a value for each {@code ?}: text, numbers, booleans or null
 */
public record SqlStatement(String text, List<JsonNode> parameters, SqlLimits limits) {

  private static final int BATCH = 500;
  private static final int SHARE = 2;

  public SqlStatement {
    parameters = List.copyOf(parameters);
  }

  /** Work that is done before a statement is run. */
  @FunctionalInterface
  public interface Preparation {

    /**
     * Does the work.
     *
     * @param ending ends it after a part of the statement's time, or with the statement
     */
    void run(CancellationToken ending);
  }

  private interface Use<T> {
    T of(SqlRun run, SqlRun.Tables tables) throws SQLException;
  }

  /**
   * Runs the statement and returns its rows.
   *
   * @param cancellationToken ends it, beside its limits
   * @param first done once it is known what the statement reads, before it is run; its time isn't
   *     that of the statement
   */
  public SqlResult execute(
      SqlSource source, SqlRunner runner, CancellationToken cancellationToken, Preparation first) {
    long commitId = source.state().upper();
    return prepared(
        source,
        runner,
        cancellationToken,
        first,
        (run, tables) -> new SqlResult(run, run.execute(tables), limits, commitId));
  }

  /** Returns DuckDB's explanation of how it would answer the statement. */
  public String explain(SqlSource source, SqlRunner runner, CancellationToken cancellationToken) {
    return prepared(
        source,
        runner,
        cancellationToken,
        unused -> {},
        (run, tables) -> {
          try (run) {
            return run.explain(tables);
          }
        });
  }

  /**
   * Writes the answer to a Parquet file, which appears when it is complete.
   *
   * @param first as for an answer
   * @return how many rows
   */
  public long write(
      SqlSource source,
      SqlRunner runner,
      CancellationToken cancellationToken,
      Preparation first,
      Path file) {
    Path target = file.toAbsolutePath();
    Path part = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".part");
    CancellationToken ending = new CancellationToken();
    try (CancellationToken.Registration unused =
            cancellationToken.register(() -> ending.cancel(cancellationToken.reason()));
        FileLimit size =
            FileLimit.on(part, limits, () -> ending.cancel(SqlLimitException.file(limits)))) {
      long rows =
          prepared(
              source,
              runner,
              ending,
              first,
              (run, tables) -> {
                try (run) {
                  return run.copy(tables, part);
                }
              });
      size.check();
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException("can't write " + target + "; look at the disk it is on", e);
    } finally {
      discard(part);
    }
  }

  private static void discard(Path part) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      throw new UncheckedIOException("can't delete " + part, e);
    }
  }

  private <T> T prepared(
      SqlSource source,
      SqlRunner runner,
      CancellationToken cancellationToken,
      Preparation first,
      Use<T> use) {
    try {
      SqlRun run = runner.begin(text, limits, cancellationToken);
      try {
        CheckedSql checked = run.check();
        if (checked.parameters() != parameters.size()) {
          throw new InvalidSqlException(
              "the statement has %d parameters, and %d values were given"
                  .formatted(checked.parameters(), parameters.size()));
        }
        List<String> tables = new Tables(source).create(checked);
        Set<Path> files = new HashSet<>(source.relations().paths());
        prepare(first, cancellationToken);
        return use.of(run, new SqlRun.Tables(tables, files, parameters));
      } catch (SQLException | RuntimeException e) {
        run.close();
        throw e;
      }
    } catch (SQLException e) {
      throw SqlErrorTranslator.of(e, limits);
    }
  }

  /** Prepares for half of the time at most, so that the caller needn't wait long for the answer. */
  private void prepare(Preparation first, CancellationToken cancellationToken) {
    CancellationToken ending = new CancellationToken();
    Duration most = limits.time().dividedBy(SHARE);
    TidemarkException late = new QueryCancelledException("it takes more than " + most);
    try (CancellationToken.Registration unused =
            cancellationToken.register(() -> ending.cancel(late));
        StatementTimeout limit = StatementTimeout.after(most, () -> ending.cancel(late))) {
      first.run(ending);
    }
  }

  /** Builder of the SQL that makes the tables that a statement names. */
  private record Tables(SqlSource source) {

    List<String> create(CheckedSql checked) {
      SqlViews views = new SqlViews(source.types());
      List<String> statements = new ArrayList<>();
      for (String name : checked.tables()) {
        if (!checked.withNames().contains(name) || views.all().contains(name)) {
          add(views, name, statements);
        }
      }
      if (checked.listsTables()) {
        for (String name : views.all()) {
          if (!checked.tables().contains(name)) {
            addEmpty(views, name, statements);
          }
        }
      }
      return statements;
    }

    private void add(SqlViews views, String name, List<String> statements) {
      SqlViews.Source behind = views.source(name);
      if (behind instanceof SqlViews.Source.State state) {
        TypeView type = source.views().apply(state.type());
        statements.add(
            view(
                views.name(name),
                type,
                source.relations().relation(type, source.state(), KeyFilter.ANY)));
      } else if (behind instanceof SqlViews.Source.History history) {
        TypeView type = source.views().apply(history.type());
        statements.add(
            view(
                views.name(name),
                type,
                source.relations().relation(type, source.history(), KeyFilter.ANY)));
      } else {
        statements.add(commits(views.name(name)));
        try (Stream<Manifest> manifests = source.commits().get()) {
          statements.addAll(rows(views.name(name), manifests.toList()));
        }
      }
    }

    /** Adds a table without rows: to list the tables, the files of all types needn't be fetched. */
    private void addEmpty(SqlViews views, String name, List<String> statements) {
      SqlViews.Source behind = views.source(name);
      if (behind instanceof SqlViews.Source.Commits) {
        statements.add(commits(views.name(name)));
        return;
      }
      TypeView type =
          source
              .views()
              .apply(
                  behind instanceof SqlViews.Source.State state
                      ? state.type()
                      : ((SqlViews.Source.History) behind).type());
      statements.add(view(views.name(name), type, RowColumns.none(type)));
    }

    private static String view(String name, TypeView type, String rows) {
      return "CREATE VIEW "
          + SqlQuoting.name(name)
          + " AS SELECT "
          + SqlViews.columns(type)
          + " FROM "
          + rows;
    }

    private static String commits(String name) {
      return "CREATE TABLE "
          + SqlQuoting.name(name)
          + " (commit_id BIGINT, created_at TIMESTAMPTZ, runtime_id VARCHAR, row_count BIGINT,"
          + " metadata JSON)";
    }

    private static List<String> rows(String name, List<Manifest> manifests) {
      List<String> inserts = new ArrayList<>();
      for (int i = 0; i < manifests.size(); i += BATCH) {
        Collection<String> rows =
            manifests.subList(i, Math.min(i + BATCH, manifests.size())).stream()
                .map(Tables::row)
                .toList();
        inserts.add("INSERT INTO " + SqlQuoting.name(name) + " VALUES " + String.join(", ", rows));
      }
      return inserts;
    }

    private static String row(Manifest manifest) {
      return "("
          + manifest.commitId()
          + ", CAST("
          + SqlQuoting.text(UtcTimestamp.format(manifest.createdAt()))
          + " AS TIMESTAMPTZ), "
          + SqlQuoting.text(manifest.runtimeId())
          + ", "
          + manifest.rowCount()
          + ", "
          + SqlQuoting.text(manifest.metadata().toString())
          + ")";
    }
  }
}
