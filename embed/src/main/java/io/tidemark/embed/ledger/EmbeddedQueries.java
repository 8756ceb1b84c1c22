// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.LedgerQueries;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowAggregates;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.RowGroups;
import io.tidemark.api.ledger.RowGroups.RowGroup;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.api.ledger.RowsHeader;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.ResultPage;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.schema.DeclaredSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Queries of a ledger in this process. */
record EmbeddedQueries(EmbeddedLedgerContext ledger) implements LedgerQueries {

  private <A> A query(QueryRequest request, Function<ParsedQuery, A> answer) {
    try (EmbeddedLedgerContext.RunningOperation runningOperation =
        ledger.begin(request.timeoutMillis())) {
      return ledger.with(
          open -> answer.apply(ParsedQuery.of(open, request, runningOperation.stop())));
    }
  }

  @Override
  public RowPage page(QueryRequest request) {
    return query(
        request,
        parsedQuery -> {
          parsedQuery.requireRows();
          ResultPage<ObjectNode> resultPage = parsedQuery.ordered().page();
          return new RowPage(
              resultPage.commitId(),
              resultPage.hits().stream().map(LedgerResultMapper::row).toList(),
              resultPage.next().map(Cursor::encoded),
              request.schema()
                  ? Optional.of(DeclaredSchema.write(parsedQuery.schema()))
                  : Optional.empty(),
              parsedQuery.versions());
        });
  }

  @Override
  public ResultStream<RowsHeader, LedgerRow> rows(QueryRequest request) {
    return EmbeddedResultStream.open(
        resources -> {
          EmbeddedLedgerContext.RunningOperation runningOperation =
              resources.add(ledger.begin(request.timeoutMillis()));
          ParsedQuery parsedQuery =
              ParsedQuery.of(
                  resources.add(ledger.acquire()).ledger(), request, runningOperation.stop());
          parsedQuery.requireRows();
          QueryBuilder.Rows<ObjectNode> rows = parsedQuery.ordered().rows();
          resources.add(rows.hits());
          return new EmbeddedResultStream.HeaderAndItems<>(
              new RowsHeader(rows.commitId(), parsedQuery.versions()),
              consumer ->
                  rows.hits()
                      .forEach(resultRow -> consumer.accept(LedgerResultMapper.row(resultRow))));
        });
  }

  @Override
  public RowCount count(QueryRequest request) {
    return query(
        request,
        parsedQuery -> {
          parsedQuery.requireUnpaged("\"count\" counts all rows");
          return new RowCount(parsedQuery.unordered().count(), parsedQuery.versions());
        });
  }

  @Override
  public RowAggregates aggregates(QueryRequest request) {
    return query(
        request,
        parsedQuery ->
            new RowAggregates(
                parsedQuery.unordered().aggregates(parsedQuery.aggregates()),
                parsedQuery.versions()));
  }

  @Override
  public RowGroups groups(QueryRequest request) {
    return query(
        request,
        parsedQuery -> {
          List<RowGroup> groups =
              parsedQuery.groups().agg(parsedQuery.aggregates()).stream()
                  .map(row -> new RowGroup(row.key(), row.figures()))
                  .toList();
          return new RowGroups(groups, parsedQuery.versions());
        });
  }

  @Override
  public QueryExplanation explain(QueryRequest request) {
    return query(
        request,
        parsedQuery -> {
          if (!request.aggregate().isEmpty()) {
            return ExplanationMapper.of(parsedQuery.groups().explain(parsedQuery.aggregates()));
          }
          if (request.count()) {
            parsedQuery.requireUnpaged("\"count\" counts all rows");
            return ExplanationMapper.of(parsedQuery.unordered().explain(Aggregate.count()));
          }
          parsedQuery.requireRows();
          return ExplanationMapper.of(parsedQuery.ordered().explain());
        });
  }

  @Override
  public LedgerSql sql() {
    return new EmbeddedSql(ledger);
  }
}
