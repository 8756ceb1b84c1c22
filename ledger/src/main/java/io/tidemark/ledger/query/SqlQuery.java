// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.query.model.Temporal.Moment;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.sql.SqlAnswer;
import io.tidemark.ledger.query.sql.SqlLimits;
import io.tidemark.ledger.query.sql.SqlStatement;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A statement in DuckDB's SQL that reads the ledger. Each step gives a new one and leaves the old
 * one as it is.
 *
 * <p>Every type is a table with its fields as columns and the last version of each row, and there
 * are {@code <Type>_history} with every version, and {@code commits}. Anything but a query on them
 * is refused, and a statement that takes too much is ended.
 */
public final class SqlQuery {

  private final QueryEngine engine;
  private final SqlStatement statement;
  private final Moment moment;
  private final Stop stop;

  private SqlQuery(QueryEngine engine, SqlStatement statement, Moment moment, Stop stop) {
    this.engine = engine;
    this.statement = statement;
    this.moment = moment;
    this.stop = stop;
  }

  static SqlQuery of(QueryEngine engine, String text) {
    return new SqlQuery(
        engine,
        new SqlStatement(text, List.of(), SqlLimits.standard()),
        Moment.Newest.NEWEST,
        new Stop());
  }

  /** On the state, histories and commits as they were at a commit. */
  public SqlQuery asOf(long commitId) {
    return new SqlQuery(engine, statement, new Moment.AtCommit(commitId), stop);
  }

  /** The same at a time, by the clocks of those who committed. */
  public SqlQuery asOf(Instant time) {
    return new SqlQuery(engine, statement, new Moment.AtTime(time), stop);
  }

  /** With a value for each {@code ?}: text, numbers, booleans or null. */
  public SqlQuery with(List<JsonNode> parameters) {
    return new SqlQuery(
        engine, new SqlStatement(statement.text(), parameters, statement.limits()), moment, stop);
  }

  /** With other limits than the usual ones. */
  public SqlQuery within(SqlLimits limits) {
    return new SqlQuery(
        engine, new SqlStatement(statement.text(), statement.parameters(), limits), moment, stop);
  }

  /** Ended by this, also while it is answered. */
  public SqlQuery until(Stop ending) {
    return new SqlQuery(engine, statement, moment, ending);
  }

  /** The answer, which the caller closes. */
  public SqlAnswer answer() {
    return statement.answer(engine.sqlSource(moment), engine.sqlRunner(), stop);
  }

  /** How DuckDB would go about it, in its own words; nothing is read but the heads of files. */
  public String explain() {
    return statement.explain(engine.sqlSource(moment), engine.sqlRunner(), stop);
  }

  /**
   * Writes the answer to a Parquet file, in place of what is there, once it is complete.
   *
   * @return how many rows it has
   */
  public long write(Path file) {
    return statement.write(engine.sqlSource(moment), engine.sqlRunner(), stop, file);
  }
}
