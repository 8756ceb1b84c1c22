// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.internal.sql.SqlSource;
import io.tidemark.ledger.internal.sql.SqlStatement;
import io.tidemark.ledger.query.model.TemporalScope;
import io.tidemark.ledger.query.model.TemporalScope.Moment;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Immutable builder of a statement in DuckDB's SQL that reads the ledger. Each step returns a new
 * builder and leaves this one as it is.
 *
 * <p>Every type is a table with its fields as columns and the last version of each row. There are
 * also {@code <Type>_history} with every version, and {@code commits}. Anything but a query on
 * these tables is refused, and a statement that exceeds its limits is ended.
 */
public final class SqlQuery {

  private static final Logger LOG = LoggerFactory.getLogger(SqlQuery.class);

  private final QueryEngine engine;
  private final SqlStatement statement;
  private final TemporalScope temporalScope;
  private final CancellationToken cancellationToken;
  private final Optional<Consumer<List<VersionMix>>> mixed;

  private SqlQuery(
      QueryEngine engine,
      SqlStatement statement,
      TemporalScope temporalScope,
      CancellationToken cancellationToken,
      Optional<Consumer<List<VersionMix>>> mixed) {
    this.engine = engine;
    this.statement = statement;
    this.temporalScope = temporalScope;
    this.cancellationToken = cancellationToken;
    this.mixed = mixed;
  }

  static SqlQuery of(QueryEngine engine, String text) {
    return new SqlQuery(
        engine,
        new SqlStatement(text, List.of(), SqlLimits.standard()),
        TemporalScope.LATEST,
        new CancellationToken(),
        Optional.empty());
  }

  /** Queries the state, histories and commits as of a commit. */
  public SqlQuery asOf(long commitId) {
    return new SqlQuery(
        engine,
        statement,
        temporalScope.asOf(new Moment.AtCommit(commitId)),
        cancellationToken,
        mixed);
  }

  /** Queries the state, histories and commits as of a time, by the clocks of the writers. */
  public SqlQuery asOf(Instant time) {
    return new SqlQuery(
        engine, statement, temporalScope.asOf(new Moment.AtTime(time)), cancellationToken, mixed);
  }

  /** Shows rows in the schemas that types had at a commit, instead of the current ones. */
  public SqlQuery inSchemaOf(long commitId) {
    return inSchemaOf(new Moment.AtCommit(commitId));
  }

  /** Shows rows in the schemas that types had at a moment. */
  public SqlQuery inSchemaOf(Moment moment) {
    return new SqlQuery(
        engine, statement, temporalScope.inSchemaOf(moment), cancellationToken, mixed);
  }

  /**
   * Sets a listener that receives, before the statement is run, the types in it with rows of other
   * versions of their schema than they are shown in. It receives none if there aren't any, or if
   * they couldn't be counted in half of the statement's time. The count takes none of that time.
   */
  public SqlQuery onVersionMix(Consumer<List<VersionMix>> listener) {
    return new SqlQuery(engine, statement, temporalScope, cancellationToken, Optional.of(listener));
  }

  /** Sets a value for each {@code ?}: text, numbers, booleans or null. */
  public SqlQuery with(List<JsonNode> parameters) {
    return new SqlQuery(
        engine,
        new SqlStatement(statement.text(), parameters, statement.limits()),
        temporalScope,
        cancellationToken,
        mixed);
  }

  /** Sets limits other than the default ones. */
  public SqlQuery within(SqlLimits limits) {
    return new SqlQuery(
        engine,
        new SqlStatement(statement.text(), statement.parameters(), limits),
        temporalScope,
        cancellationToken,
        mixed);
  }

  /** Sets the token that cancels this statement, also while its answer is read. */
  public SqlQuery cancelledBy(CancellationToken ending) {
    return new SqlQuery(engine, statement, temporalScope, ending, mixed);
  }

  /** Runs the statement and returns the answer, which the caller closes. */
  public SqlResult execute() {
    SqlSource source = source();
    return statement.execute(
        source, engine.sqlRunner(), cancellationToken, ending -> tell(source, ending));
  }

  /** Returns DuckDB's own explanation of the statement; only the metadata of files is read. */
  public String explain() {
    return statement.explain(source(), engine.sqlRunner(), cancellationToken);
  }

  /**
   * Writes the answer to a Parquet file, in place of any file there, once it is complete.
   *
   * @return the number of rows in the file
   */
  public long write(Path file) {
    SqlSource source = source();
    return statement.write(
        source, engine.sqlRunner(), cancellationToken, ending -> tell(source, ending), file);
  }

  private SqlSource source() {
    return engine.sqlSource(temporalScope);
  }

  private void tell(SqlSource source, CancellationToken ending) {
    mixed.ifPresent(listener -> listener.accept(counted(source, ending)));
  }

  /** Returns the counts, or none if they fail, since the statement is answered in any case. */
  private List<VersionMix> counted(SqlSource source, CancellationToken ending) {
    try {
      return engine.versions(source, ending);
    } catch (TidemarkException e) {
      LOG.warn("rows of other schema versions aren't told of: {}", e.getMessage());
      return List.of();
    }
  }
}
