// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.LedgerData;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.RowFigures;
import io.tidemark.api.ledger.RowGroups;
import io.tidemark.api.ledger.RowGroups.RowGroup;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.api.ledger.RowsHead;
import io.tidemark.ledger.query.Page;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.schema.DeclaredSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Queries of a ledger in this process. */
record EmbeddedData(LedgerUse ledger) implements LedgerData {

  private <A> A ask(QueryRequest request, Function<Question, A> answer) {
    try (LedgerUse.Running running = ledger.begin(request.timeoutMillis())) {
      return ledger.with(open -> answer.apply(Question.of(open, request, running.stop())));
    }
  }

  @Override
  public RowPage page(QueryRequest request) {
    return ask(
        request,
        question -> {
          question.requireRows();
          Page<ObjectNode> page = question.ordered().page();
          return new RowPage(
              page.commitId(),
              page.hits().stream().map(Results::row).toList(),
              page.next().map(Cursor::encoded),
              request.schema()
                  ? Optional.of(DeclaredSchema.write(question.schema()))
                  : Optional.empty(),
              question.versions());
        });
  }

  @Override
  public Streamed<RowsHead, LedgerRow> rows(QueryRequest request) {
    return HeldItems.open(
        held -> {
          LedgerUse.Running running = held.add(ledger.begin(request.timeoutMillis()));
          Question question =
              Question.of(held.add(ledger.lend()).ledger(), request, running.stop());
          question.requireRows();
          QueryBuilder.Rows<ObjectNode> rows = question.ordered().rows();
          held.add(rows.hits());
          return new HeldItems.Opened<>(
              new RowsHead(rows.commitId(), question.versions()),
              consumer -> rows.hits().forEach(hit -> consumer.accept(Results.row(hit))));
        });
  }

  @Override
  public RowCount count(QueryRequest request) {
    return ask(
        request,
        question -> {
          question.requireUnpaged("\"count\" counts all rows");
          return new RowCount(question.all().count(), question.versions());
        });
  }

  @Override
  public RowFigures figures(QueryRequest request) {
    return ask(
        request,
        question ->
            new RowFigures(question.all().figures(question.figures()), question.versions()));
  }

  @Override
  public RowGroups groups(QueryRequest request) {
    return ask(
        request,
        question -> {
          List<RowGroup> groups =
              question.groups().agg(question.figures()).stream()
                  .map(row -> new RowGroup(row.key(), row.figures()))
                  .toList();
          return new RowGroups(groups, question.versions());
        });
  }

  @Override
  public QueryExplanation explain(QueryRequest request) {
    return ask(
        request,
        question -> {
          if (!request.aggregate().isEmpty()) {
            return Explanations.of(question.groups().explain(question.figures()));
          }
          if (request.count()) {
            question.requireUnpaged("\"count\" counts all rows");
            return Explanations.of(question.all().explain(Aggregate.count()));
          }
          question.requireRows();
          return Explanations.of(question.ordered().explain());
        });
  }

  @Override
  public LedgerSql sql() {
    return new EmbeddedSql(ledger);
  }
}
