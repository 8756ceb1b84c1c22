// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.IntNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerQueries;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowAggregates;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.RowGroups;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.api.ledger.RowsHeader;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.ledger.internal.text.InvalidFilterException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Routes of queries of the rows of a type, as of any time. */
final class QueryRoutes {

  private static final long STANDARD_PAGE = 100;

  private final LedgerServiceResolver ledgers;
  private final QueryLimiter queries;

  QueryRoutes(LedgerServiceResolver ledgers, QueryLimiter queries) {
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route(
                "POST",
                LedgerRoutes.ONE + "/query",
                LedgerRoutes.permission(Action.READ),
                this::query)
            .asReadOnly());
  }

  /**
   * Returns the time limit of a request: that of the server, or a lower one that the request asks
   * for.
   */
  static Duration time(HttpRequestContext httpRequestContext, OptionalLong millis) {
    long most = httpRequestContext.limits().sql().time().toMillis();
    if (millis.orElse(most) > most) {
      throw HttpRequestContext.invalid(
          "\"timeoutMillis\" is a whole number from 1 to "
              + most
              + ", unlike "
              + millis.getAsLong());
    }
    return Duration.ofMillis(millis.orElse(most));
  }

  private RouteResponse query(HttpRequestContext httpRequestContext) throws IOException {
    QueryRequest request = httpRequestContext.body(QueryRequest.class);
    boolean rows = request.aggregate().isEmpty() && !request.count() && !request.explain();
    try {
      if (rows && StreamedResponses.acceptsLines(httpRequestContext)) {
        return lines(httpRequestContext, request);
      }
      try (QueryLimiter.Permit unused = queries.acquire();
          QueryTimeout queryTimeout =
              new QueryTimeout(
                  httpRequestContext, time(httpRequestContext, request.timeoutMillis()))) {
        return answer(
            ledgers.of(httpRequestContext).withCancellation(queryTimeout.cancellation()).queries(),
            request,
            httpRequestContext);
      }
    } catch (InvalidFilterException e) {
      throw new ProblemException(Problem.of(e).with("position", IntNode.valueOf(e.position())));
    }
  }

  private static RouteResponse answer(
      LedgerQueries data, QueryRequest request, HttpRequestContext httpRequestContext) {
    if (request.explain()) {
      QueryRequest explained =
          request.count() || !request.aggregate().isEmpty()
              ? request
              : paged(request, httpRequestContext);
      QueryExplanation explanation = data.explain(explained);
      return withSchemaVersions(explanation, explanation.schemaVersions());
    }
    if (!request.aggregate().isEmpty() && request.groupBy().isEmpty()) {
      RowAggregates figures = data.aggregates(request);
      return withSchemaVersions(figures, figures.schemaVersions());
    }
    if (!request.aggregate().isEmpty()) {
      RowGroups groups = data.groups(request);
      return withSchemaVersions(groups, groups.schemaVersions());
    }
    if (request.count()) {
      RowCount count = data.count(request);
      return withSchemaVersions(count, count.schemaVersions());
    }
    RowPage page = data.page(paged(request, httpRequestContext));
    return withSchemaVersions(page, page.schemaVersions());
  }

  private static QueryRequest paged(QueryRequest request, HttpRequestContext httpRequestContext) {
    long limit = request.limit().orElse(STANDARD_PAGE);
    if (limit < 1 || limit > httpRequestContext.limits().pageSize()) {
      throw HttpRequestContext.invalid(
          "\"limit\" of a page is a whole number from 1 to %d, unlike %d"
              .formatted(httpRequestContext.limits().pageSize(), limit));
    }
    return request.limit(limit);
  }

  private static RouteResponse withSchemaVersions(Object result, List<SchemaVersionMix> mixes) {
    return SchemaVersionHeader.addTo(RouteResponse.ok(WireJson.tree(result)), mixes);
  }

  /** Returns matching rows as lines, without a limit unless the request has one. */
  private RouteResponse lines(HttpRequestContext httpRequestContext, QueryRequest request)
      throws IOException {
    StreamedResponses.StartedResult<ResultStream<RowsHeader, LedgerRow>> startedResult =
        StreamedResponses.start(
            resources -> {
              QueryLimiter.Permit unused = resources.add(queries.acquire());
              QueryTimeout queryTimeout =
                  resources.add(
                      new QueryTimeout(
                          httpRequestContext, time(httpRequestContext, request.timeoutMillis())));
              return ledgers
                  .of(httpRequestContext)
                  .withCancellation(queryTimeout.cancellation())
                  .queries()
                  .rows(request);
            });
    RowsHeader head = startedResult.result().header();
    RouteResponse routeResponse =
        startedResult.reply(
            httpRequestContext,
            StreamedResponses.LINES,
            Map.of(LedgerRoutes.COMMIT, Long.toString(head.commitId())),
            jsonStreamWriter -> startedResult.result().forEach(jsonStreamWriter::record));
    return SchemaVersionHeader.addTo(routeResponse, head.schemaVersions());
  }
}
