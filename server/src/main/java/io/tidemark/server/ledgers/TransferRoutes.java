// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.Cancellation;
import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.ExportHead;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.Moment;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.query.plan.StoppedQueryException;
import io.tidemark.ledger.transfer.Import;
import io.tidemark.ledger.transfer.ImportInput;
import io.tidemark.ledger.transfer.ImportOptions;
import io.tidemark.ledger.transfer.ImportOptions.Mode;
import io.tidemark.ledger.transfer.ImportOptions.OnConflict;
import io.tidemark.ledger.transfer.ImportReport;
import io.tidemark.ledger.transfer.Precondition;
import io.tidemark.ledger.view.ImportJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Rows out of a ledger and into one, as lines of JSON, as many as there are. */
final class TransferRoutes {

  private final LedgerCache open;
  private final LedgerServices ledgers;

  TransferRoutes(LedgerCache open, LedgerServices ledgers) {
    this.open = open;
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
    Optional<Long> since = call.number("historySince", 0, Long.MAX_VALUE);
    Optional<Long> schemaOf = call.number("schemaAsOfCommit", 0, Long.MAX_VALUE);
    ExportRequest request =
        new ExportRequest(
            call.queries("type"),
            call.query("asOf").map(TransferRoutes::moment),
            optional(since),
            optional(schemaOf),
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
                rows.forEach(sheet::line);
              } else {
                sheet.document(rows.head(), "rows", rows::forEach);
              }
            });
    return SchemaVersions.noted(reply, rows.head().schemaVersions());
  }

  private static OptionalLong optional(Optional<Long> number) {
    return number.isPresent() ? OptionalLong.of(number.get()) : OptionalLong.empty();
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

  private Reply load(Call call) {
    ImportOptions how = how(call);
    ImportReport report;
    try (LedgerCache.LedgerHandle lent = open.lend(LedgerRoutes.address(call))) {
      report =
          new Import(lent.ledger(), how)
              .from(
                  ImportInput.of(call.stream(), "the body", call.limits().recordLength()),
                  records -> {});
    }
    if (report.status() == ImportReport.Status.CONFLICT) {
      throw new ProblemException(
          Problem.of(
                  409,
                  "import-conflict",
                  "something stands in the way, so "
                      + (report.commits().isEmpty()
                          ? "nothing was written"
                          : "nothing was written after commits " + report.commits())
                      + "; \"report\" tells what")
              .with("report", ImportJson.report(report)));
    }
    return Reply.ok(ImportJson.report(report));
  }

  private static ImportOptions how(Call call) {
    Precondition precondition =
        call.query("precondition")
            .map(
                text ->
                    Precondition.parse(text)
                        .orElseThrow(
                            () ->
                                Call.invalid(
                                    "the parameter precondition is must_exist, must_not_exist or"
                                        + " if_commit_id:N, unlike \""
                                        + text
                                        + "\"")))
            .orElse(Precondition.Presence.ANY);
    boolean mustExist = precondition == Precondition.Presence.MUST_EXIST;
    OnConflict policy =
        call.query("onConflict")
            .map(TransferRoutes::policy)
            .orElse(mustExist ? OnConflict.UPSERT : OnConflict.ABORT);
    if (mustExist && policy == OnConflict.ABORT) {
      throw Call.invalid("rows that must exist can't abort because they do; skip or upsert");
    }
    int batch =
        call.number("batch", 1, ImportOptions.ONE_COMMIT)
            .map(Long::intValue)
            .orElse(ImportOptions.ONE_COMMIT);
    return ImportOptions.standard()
        .with(call.flag("apply") ? Mode.APPLY : Mode.DRY_RUN)
        .with(policy, precondition)
        .inPartsOf(batch)
        .withMetadata(CommitRoutes.metadata(call));
  }

  private static OnConflict policy(String word) {
    return switch (word) {
      case "abort" -> OnConflict.ABORT;
      case "skip" -> OnConflict.SKIP;
      case "upsert" -> OnConflict.UPSERT;
      default ->
          throw Call.invalid(
              "the parameter onConflict is abort, skip or upsert, unlike \"" + word + "\"");
    };
  }
}
