// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerQueries;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowAggregates;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.RowGroups;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.api.ledger.RowsHeader;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.StreamedDocument;
import io.tidemark.client.StreamedServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Queries of a ledger on a server. */
record HttpQueries(HttpLedgerContext server) implements LedgerQueries {

  private static final long PAGE = 1000;

  private ServerRequest request(QueryRequest request) {
    return server.request("POST", "query").json(WireJson.tree(request));
  }

  @Override
  public RowPage page(QueryRequest request) {
    if (request.limit().isEmpty()) {
      return all(request);
    }
    long limit = request.limit().getAsLong();
    if (limit == 0) {
      RowPage page = server.read(request(request.limit(1)), RowPage.class);
      return new RowPage(
          page.commitId(), List.of(), Optional.empty(), page.schema(), page.schemaVersions());
    }
    List<LedgerRow> rows = new ArrayList<>();
    QueryRequest next = request;
    while (true) {
      RowPage page =
          server.read(request(next.limit(Math.min(PAGE, limit - rows.size()))), RowPage.class);
      rows.addAll(page.rows());
      if (page.next().isEmpty() || rows.size() >= limit) {
        return new RowPage(
            page.commitId(), rows, page.next(), page.schema(), page.schemaVersions());
      }
      next = next.withCursor(page.next()).withOffset(OptionalLong.empty());
    }
  }

  private RowPage all(QueryRequest request) {
    List<LedgerRow> rows = new ArrayList<>();
    Optional<ObjectNode> schema =
        request.schema() ? page(request.limit(0)).schema() : Optional.empty();
    try (ResultStream<RowsHeader, LedgerRow> all = rows(request)) {
      all.forEach(rows::add);
      return new RowPage(
          all.header().commitId(), rows, Optional.empty(), schema, all.header().schemaVersions());
    }
  }

  @Override
  public ResultStream<RowsHeader, LedgerRow> rows(QueryRequest request) {
    StreamedServerResponse answer =
        server.open(request(request).header("Accept", StreamHeaders.LINES));
    RowsHeader head =
        new RowsHeader(StreamHeaders.commitId(answer), StreamHeaders.versions(answer));
    return StreamedDocument.lines(answer, head, row -> WireJson.read(row, LedgerRow.class));
  }

  @Override
  public RowCount count(QueryRequest request) {
    return server.read(request(request.withCount(true)), RowCount.class);
  }

  @Override
  public RowAggregates aggregates(QueryRequest request) {
    return server.read(request(request), RowAggregates.class);
  }

  @Override
  public RowGroups groups(QueryRequest request) {
    return server.read(request(request), RowGroups.class);
  }

  @Override
  public QueryExplanation explain(QueryRequest request) {
    return server.read(request(request.withExplain(true)), QueryExplanation.class);
  }

  @Override
  public LedgerSql sql() {
    return new HttpSql(server);
  }
}
