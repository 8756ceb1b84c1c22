// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.Cancellation;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.ExportHeader;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.ledger.query.plan.QueryCancelledException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Routes that export and import rows as lines of JSON, without a limit on their number. */
final class TransferRoutes {

  private final LedgerServiceResolver ledgers;

  TransferRoutes(LedgerServiceResolver ledgers) {
    this.ledgers = ledgers;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            LedgerRoutes.ONE + "/import",
            LedgerRoutes.permission(Action.WRITE),
            this::load),
        new Route(
            "GET",
            LedgerRoutes.ONE + "/export",
            LedgerRoutes.permission(Action.READ),
            this::export));
  }

  private RouteResponse export(HttpRequestContext httpRequestContext) throws IOException {
    ExportRequest request =
        new ExportRequest(
            httpRequestContext.queries("type"),
            httpRequestContext.query("asOf").map(TransferRoutes::moment),
            LedgerRoutes.number(httpRequestContext, "historySince", 0, Long.MAX_VALUE),
            LedgerRoutes.number(httpRequestContext, "schemaAsOfCommit", 0, Long.MAX_VALUE),
            httpRequestContext.flag("withMetadata"));
    StreamedResponses.StartedResult<ResultStream<ExportHeader, String>> startedResult =
        StreamedResponses.start(
            resources -> {
              Cancellation gone = new Cancellation();
              AutoCloseable unused =
                  resources.add(
                      httpRequestContext.onDisconnect(
                          () ->
                              gone.cancel(
                                  new QueryCancelledException("the caller has gone away"))));
              return ledgers
                  .of(httpRequestContext)
                  .withCancellation(gone)
                  .transfer()
                  .lines(request);
            });
    ResultStream<ExportHeader, String> rows = startedResult.result();
    boolean lines =
        httpRequestContext
            .preferredType(List.of(StreamedResponses.LINES, RouteResponse.JSON))
            .orElse(StreamedResponses.LINES)
            .equals(StreamedResponses.LINES);
    RouteResponse routeResponse =
        startedResult.reply(
            httpRequestContext,
            lines ? StreamedResponses.LINES : RouteResponse.JSON,
            Map.of(),
            jsonStreamWriter -> {
              if (lines) {
                rows.forEach(jsonStreamWriter::record);
              } else {
                jsonStreamWriter.document(rows.header(), "rows", rows::forEach);
              }
            });
    return SchemaVersionHeader.addTo(routeResponse, rows.header().schemaVersions());
  }

  private static AsOf moment(String text) {
    return AsOf.parse(text)
        .filter(asOf -> !(asOf instanceof AsOf.AtCommit at) || at.id() >= 0)
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "the parameter asOf is a commit such as 17, or a time with its zone such as"
                        + " 2026-02-10T12:00:00Z, unlike \""
                        + text
                        + "\""));
  }

  private RouteResponse load(HttpRequestContext httpRequestContext) throws IOException {
    RowBody body = RowBody.of(httpRequestContext);
    ImportReport report =
        ledgers
            .of(httpRequestContext)
            .transfer()
            .importRows(
                new ImportRequest(
                    body.rows(),
                    body.schema(),
                    httpRequestContext.flag("apply"),
                    httpRequestContext.query("onConflict"),
                    httpRequestContext.query("precondition"),
                    LedgerRoutes.number(httpRequestContext, "batch", 1, Integer.MAX_VALUE),
                    httpRequestContext.query("message"),
                    CommitRoutes.metadata(httpRequestContext)),
                read -> {});
    if (report.status().equals(ImportReport.CONFLICT)) {
      throw new ProblemException(
          Problem.of(
                  409,
                  "import-conflict",
                  "something stands in the way, so "
                      + (report.commits().isEmpty()
                          ? "nothing was written"
                          : "nothing was written after commits " + report.commits())
                      + "; \"report\" tells what")
              .with("report", WireJson.tree(report)));
    }
    return RouteResponse.ok(WireJson.tree(report));
  }
}
