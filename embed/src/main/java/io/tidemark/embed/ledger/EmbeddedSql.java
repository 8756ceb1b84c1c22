// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.api.ledger.SqlHeader;
import io.tidemark.api.ledger.SqlRequest;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.query.SqlQuery;
import io.tidemark.ledger.query.plan.CancellationToken;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Statements in SQL in this process. */
record EmbeddedSql(EmbeddedLedgerContext ledger) implements LedgerSql {

  private static SqlLimits limits(SqlRequest request, SqlLimits usual) {
    return new SqlLimits(
        request.timeoutMillis().isPresent()
            ? Duration.ofMillis(request.timeoutMillis().getAsLong())
            : usual.time(),
        request.memoryMegabytes().isPresent()
            ? request.memoryMegabytes().getAsLong() + "MB"
            : usual.memory(),
        usual.disk(),
        request.maxRows().orElse(usual.rows()),
        usual.file());
  }

  private SqlQuery query(
      Ledger open, SqlRequest request, SqlLimits usual, CancellationToken cancellationToken) {
    SqlQuery query =
        open.query()
            .sql(request.sql())
            .with(request.parameters())
            .within(limits(request, usual))
            .cancelledBy(cancellationToken);
    if (request.asOf().isPresent()) {
      query =
          request.asOf().get() instanceof AsOf.AtTime at
              ? query.asOf(at.time())
              : query.asOf(((AsOf.AtCommit) request.asOf().get()).id());
    }
    return request.schemaAsOfCommit().isPresent()
        ? query.inSchemaOf(request.schemaAsOfCommit().getAsLong())
        : query;
  }

  @Override
  public ResultStream<SqlHeader, ObjectNode> query(SqlRequest request) {
    return EmbeddedResultStream.open(
        resources -> {
          EmbeddedLedgerContext.RunningOperation runningOperation = resources.add(ledger.begin());
          Ledger open = resources.add(ledger.acquire()).ledger();
          List<SchemaVersionMix> mixes = new ArrayList<>();
          SqlResult answer =
              resources.add(
                  query(open, request, ledger.limits(), runningOperation.stop())
                      .onVersionMix(told -> mixes.addAll(LedgerResultMapper.mixes(told)))
                      .execute());
          Map<String, String> columns = new LinkedHashMap<>();
          answer.columns().forEach(column -> columns.put(column.name(), column.type()));
          List<String> names = List.copyOf(columns.keySet());
          return new EmbeddedResultStream.HeaderAndItems<>(
              new SqlHeader(answer.commitId(), columns, mixes),
              consumer -> rows(answer, names, consumer));
        });
  }

  private static void rows(
      SqlResult answer, List<String> names, Consumer<? super ObjectNode> consumer) {
    for (Optional<List<JsonNode>> row = answer.next(); row.isPresent(); row = answer.next()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (int i = 0; i < names.size(); i++) {
        object.set(names.get(i), row.get().get(i));
      }
      consumer.accept(object);
    }
  }

  private <A> A run(SqlRequest request, SqlLimits usual, Function<SqlQuery, A> answer) {
    try (EmbeddedLedgerContext.RunningOperation runningOperation = ledger.begin()) {
      return ledger.with(
          open -> answer.apply(query(open, request, usual, runningOperation.stop())));
    }
  }

  /** A file has a limit of bytes, so it has one of rows only where the request says so. */
  @Override
  public long write(SqlRequest request, Path file, Consumer<List<SchemaVersionMix>> notes) {
    return run(
        request,
        ledger.limits().withRows(Long.MAX_VALUE),
        query ->
            query.onVersionMix(told -> notes.accept(LedgerResultMapper.mixes(told))).write(file));
  }

  @Override
  public String explain(SqlRequest request) {
    return run(request, ledger.limits(), SqlQuery::explain);
  }
}
