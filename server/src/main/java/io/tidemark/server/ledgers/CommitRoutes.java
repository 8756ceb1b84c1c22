// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Page;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CommitChangesHeader;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.api.ledger.UnexpectedHeadException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Routes of the commits of a ledger. */
final class CommitRoutes {

  private static final String COMMITS = LedgerRoutes.ONE + "/commits";

  /** Default of the maximum number of rows of a commit. */
  private static final long MAX_ROWS = 10_000;

  private final LedgerServiceResolver ledgers;
  private final QueryLimiter queries;

  CommitRoutes(LedgerServiceResolver ledgers, QueryLimiter queries) {
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", COMMITS, LedgerRoutes.permission(Action.READ), this::list),
        new Route("POST", COMMITS, LedgerRoutes.permission(Action.WRITE), this::commit),
        new Route("GET", COMMITS + "/{id}", LedgerRoutes.permission(Action.READ), this::show),
        new Route(
            "GET", COMMITS + "/{id}/changes", LedgerRoutes.permission(Action.READ), this::changes));
  }

  private static Map<String, String> pairs(HttpRequestContext httpRequestContext) {
    Map<String, String> pairs = new HashMap<>();
    for (String pair : httpRequestContext.queries("meta")) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw HttpRequestContext.invalid(
            "the parameter meta is KEY=VALUE, unlike \"" + pair + "\"");
      }
      pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return pairs;
  }

  /**
   * Returns metadata with an authenticated caller as author, so that no caller can write in the
   * name of another.
   */
  static Map<String, String> signed(
      Map<String, String> metadata, HttpRequestContext httpRequestContext) {
    Map<String, String> signed = new HashMap<>(metadata);
    if (httpRequestContext.caller().isAuthenticated()) {
      signed.put("author", httpRequestContext.caller().name());
    }
    return signed;
  }

  /**
   * Returns the metadata of a request with rows as its body, from parameters {@code
   * meta=KEY=VALUE}.
   */
  static Map<String, String> metadata(HttpRequestContext httpRequestContext) {
    return signed(pairs(httpRequestContext), httpRequestContext);
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    CommitsRequest request =
        new CommitsRequest(
            httpRequestContext.number("since", 0, Long.MAX_VALUE).orElse(0L),
            pairs(httpRequestContext),
            httpRequestContext.pageSize(),
            Pagination.of(httpRequestContext));
    LedgerService ledger = ledgers.of(httpRequestContext);
    Page<CommitSummary> page = ledger.commits().list(request);
    return RouteResponse.ok(
            Pagination.page(page.items().stream().map(WireJson::tree).toList(), page.next()))
        .with("ETag", LedgerRoutes.tag(ledger.commits().head()));
  }

  private static long id(HttpRequestContext httpRequestContext) {
    String text = httpRequestContext.path("id");
    if (!text.matches("[0-9]{1,18}")) {
      throw HttpRequestContext.invalid("\"" + text + "\" is no commit; they are numbers from 1");
    }
    return Long.parseLong(text);
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        WireJson.tree(ledgers.of(httpRequestContext).commits().get(id(httpRequestContext))));
  }

  /** Returns the changes of a commit, as a stream since there may be millions of rows. */
  private RouteResponse changes(HttpRequestContext httpRequestContext) throws IOException {
    StreamedResponses.StartedResult<ResultStream<CommitChangesHeader, RowChange>> startedResult =
        StreamedResponses.start(
            resources -> {
              QueryLimiter.Permit unused = resources.add(queries.acquire());
              QueryTimeout queryTimeout = resources.add(new QueryTimeout(httpRequestContext));
              return ledgers
                  .of(httpRequestContext)
                  .withCancellation(queryTimeout.cancellation())
                  .commits()
                  .changes(id(httpRequestContext));
            });
    ResultStream<CommitChangesHeader, RowChange> changes = startedResult.result();
    boolean lines = StreamedResponses.acceptsLines(httpRequestContext);
    return startedResult.reply(
        httpRequestContext,
        lines ? StreamedResponses.LINES : RouteResponse.JSON,
        Map.of(),
        jsonStreamWriter -> {
          if (lines) {
            changes.forEach(jsonStreamWriter::record);
            changes.header().purged().forEach(jsonStreamWriter::record);
          } else {
            jsonStreamWriter.document(changes.header(), "changes", changes::forEach);
          }
        });
  }

  /** Document of rows with their metadata. */
  private record CommitDocument(
      List<JsonNode> rows,
      Optional<String> type,
      Optional<JsonNode> schema,
      Optional<String> message,
      Map<String, String> metadata,
      OptionalLong expected) {}

  private RouteResponse commit(HttpRequestContext httpRequestContext) throws IOException {
    CommitRequest request =
        RowBody.isLines(httpRequestContext)
            ? lines(httpRequestContext)
            : document(httpRequestContext);
    ExpectedHead expected = ExpectedHead.of(httpRequestContext, request.expected());
    CommitResult result;
    try {
      result =
          ledgers.of(httpRequestContext).commit(request.withExpected(expected.head()), read -> {});
    } catch (UnexpectedHeadException e) {
      throw expected.problem(e);
    }
    RouteResponse routeResponse =
        RouteResponse.json(result.commit().isPresent() ? 201 : 200, result.json())
            .with("ETag", LedgerRoutes.tag(result.head()));
    return result.commit().isEmpty()
        ? routeResponse
        : routeResponse.with(
            "Location",
            "/v1/ledgers/"
                + LedgerRoutes.address(httpRequestContext).toString().replace("/", "%2F")
                + "/commits/"
                + result.commit().get().commitId());
  }

  private static CommitRequest lines(HttpRequestContext httpRequestContext) throws IOException {
    RowBody body = RowBody.of(httpRequestContext);
    return new CommitRequest(
        body.rows(),
        httpRequestContext.query("type"),
        body.schema(),
        httpRequestContext.query("message"),
        metadata(httpRequestContext),
        LedgerRoutes.number(httpRequestContext, "expected", 0, Long.MAX_VALUE),
        OptionalLong.of(
            httpRequestContext.number("maxRows", 1, Integer.MAX_VALUE).orElse(MAX_ROWS)));
  }

  private static CommitRequest document(HttpRequestContext httpRequestContext) throws IOException {
    CommitDocument body = httpRequestContext.body(CommitDocument.class);
    return new CommitRequest(
        RowInput.ofDocuments(body.rows()),
        body.type(),
        body.schema().filter(schema -> !schema.isNull()),
        body.message(),
        signed(body.metadata(), httpRequestContext),
        body.expected(),
        OptionalLong.of(MAX_ROWS));
  }
}
