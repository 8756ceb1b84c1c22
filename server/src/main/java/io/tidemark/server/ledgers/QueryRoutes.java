// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.IntNode;
import io.tidemark.api.Streamed;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerData;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.RowFigures;
import io.tidemark.api.ledger.RowGroups;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.api.ledger.RowsHead;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.ledger.internal.text.InvalidFilterException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Queries of the rows of a type, at any time. */
final class QueryRoutes {

  private static final long STANDARD_PAGE = 100;

  private final LedgerServices ledgers;
  private final Turnstile queries;

  QueryRoutes(LedgerServices ledgers, Turnstile queries) {
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", LedgerRoutes.ONE + "/query", LedgerRoutes.need(Action.READ), this::query)
            .reading());
  }

  /** Returns the time limit of a request: that of the server, or a lower one asked for. */
  static Duration time(Call call, OptionalLong millis) {
    long most = call.limits().sql().time().toMillis();
    if (millis.orElse(most) > most) {
      throw Call.invalid(
          "\"timeoutMillis\" is a whole number from 1 to "
              + most
              + ", unlike "
              + millis.getAsLong());
    }
    return Duration.ofMillis(millis.orElse(most));
  }

  private Reply query(Call call) throws IOException {
    QueryRequest request = call.body(QueryRequest.class);
    boolean rows = request.aggregate().isEmpty() && !request.count() && !request.explain();
    try {
      if (rows && Streams.wantsLines(call)) {
        return lines(call, request);
      }
      try (Turnstile.Visit unused = queries.enter();
          Deadline deadline = new Deadline(call, time(call, request.timeoutMillis()))) {
        return answer(ledgers.of(call).until(deadline.cancellation()).data(), request, call);
      }
    } catch (InvalidFilterException e) {
      throw new ProblemException(Problem.of(e).with("position", IntNode.valueOf(e.position())));
    }
  }

  private static Reply answer(LedgerData data, QueryRequest request, Call call) {
    if (request.explain()) {
      QueryRequest explained =
          request.count() || !request.aggregate().isEmpty() ? request : paged(request, call);
      QueryExplanation explanation = data.explain(explained);
      return noted(explanation, explanation.schemaVersions());
    }
    if (!request.aggregate().isEmpty() && request.groupBy().isEmpty()) {
      RowFigures figures = data.figures(request);
      return noted(figures, figures.schemaVersions());
    }
    if (!request.aggregate().isEmpty()) {
      RowGroups groups = data.groups(request);
      return noted(groups, groups.schemaVersions());
    }
    if (request.count()) {
      RowCount count = data.count(request);
      return noted(count, count.schemaVersions());
    }
    RowPage page = data.page(paged(request, call));
    return noted(page, page.schemaVersions());
  }

  private static QueryRequest paged(QueryRequest request, Call call) {
    long limit = request.limit().orElse(STANDARD_PAGE);
    if (limit < 1 || limit > call.limits().pageSize()) {
      throw Call.invalid(
          "\"limit\" of a page is a whole number from 1 to %d, unlike %d"
              .formatted(call.limits().pageSize(), limit));
    }
    return request.limit(limit);
  }

  private static Reply noted(Object result, List<SchemaVersionMix> mixes) {
    return SchemaVersions.noted(Reply.ok(WireJson.tree(result)), mixes);
  }

  /** As many rows as there are, or as the limit says. */
  private Reply lines(Call call, QueryRequest request) throws IOException {
    Streams.Started<Streamed<RowsHead, LedgerRow>> started =
        Streams.start(
            held -> {
              Turnstile.Visit unused = held.add(queries.enter());
              Deadline deadline = held.add(new Deadline(call, time(call, request.timeoutMillis())));
              return ledgers.of(call).until(deadline.cancellation()).data().rows(request);
            });
    RowsHead head = started.result().head();
    Reply reply =
        started.reply(
            call,
            Streams.LINES,
            Map.of(LedgerRoutes.COMMIT, Long.toString(head.commitId())),
            sheet -> started.result().forEach(sheet::record));
    return SchemaVersions.noted(reply, head.schemaVersions());
  }
}
