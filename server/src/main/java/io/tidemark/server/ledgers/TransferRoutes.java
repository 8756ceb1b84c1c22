// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.Cancellation;
import io.tidemark.api.Streamed;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.ExportHead;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.Moment;
import io.tidemark.ledger.query.plan.StoppedQueryException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Rows out of a ledger and into one, as lines of JSON, as many as there are. */
final class TransferRoutes {

  private final LedgerServices ledgers;

  TransferRoutes(LedgerServices ledgers) {
    this.ledgers = ledgers;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "POST", LedgerRoutes.ONE + "/import", LedgerRoutes.need(Action.WRITE), this::load),
        new Route(
            "GET", LedgerRoutes.ONE + "/export", LedgerRoutes.need(Action.READ), this::export));
  }

  private Reply export(Call call) throws IOException {
    ExportRequest request =
        new ExportRequest(
            call.queries("type"),
            call.query("asOf").map(TransferRoutes::moment),
            LedgerRoutes.number(call, "historySince", 0, Long.MAX_VALUE),
            LedgerRoutes.number(call, "schemaAsOfCommit", 0, Long.MAX_VALUE),
            call.flag("withMetadata"));
    Streams.Started<Streamed<ExportHead, String>> started =
        Streams.start(
            held -> {
              Cancellation gone = new Cancellation();
              AutoCloseable unused =
                  held.add(
                      call.onDeparture(
                          () ->
                              gone.cancel(new StoppedQueryException("the caller has gone away"))));
              return ledgers.of(call).until(gone).transfer().lines(request);
            });
    Streamed<ExportHead, String> rows = started.result();
    boolean lines =
        call.accepted(List.of(Streams.LINES, Reply.JSON))
            .orElse(Streams.LINES)
            .equals(Streams.LINES);
    Reply reply =
        started.reply(
            call,
            lines ? Streams.LINES : Reply.JSON,
            Map.of(),
            sheet -> {
              if (lines) {
                rows.forEach(sheet::record);
              } else {
                sheet.document(rows.head(), "rows", rows::forEach);
              }
            });
    return SchemaVersions.noted(reply, rows.head().schemaVersions());
  }

  private static Moment moment(String text) {
    return Moment.parse(text)
        .filter(moment -> !(moment instanceof Moment.AtCommit at) || at.id() >= 0)
        .orElseThrow(
            () ->
                Call.invalid(
                    "the parameter asOf is a commit such as 17, or a time with its zone such as"
                        + " 2026-02-10T12:00:00Z, unlike \""
                        + text
                        + "\""));
  }

  private Reply load(Call call) throws IOException {
    RowBody body = RowBody.of(call);
    ImportReport report =
        ledgers
            .of(call)
            .transfer()
            .importRows(
                new ImportRequest(
                    body.rows(),
                    body.schema(),
                    call.flag("apply"),
                    call.query("onConflict"),
                    call.query("precondition"),
                    LedgerRoutes.number(call, "batch", 1, Integer.MAX_VALUE),
                    call.query("message"),
                    CommitRoutes.metadata(call)),
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
    return Reply.ok(WireJson.tree(report));
  }
}
