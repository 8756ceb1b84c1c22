// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.transfer.Export;
import io.tidemark.ledger.transfer.ExportOptions;
import io.tidemark.ledger.transfer.ExportOptions.Metadata;
import io.tidemark.ledger.transfer.ExportOptions.Schema;
import io.tidemark.ledger.transfer.ExportOptions.Scope;
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
import io.tidemark.server.ledgers.Members.Moment;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Rows out of a ledger and into one, as lines of JSON, as many as there are. */
final class TransferRoutes {

  private final LedgerCache open;

  TransferRoutes(LedgerCache open) {
    this.open = open;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "POST", LedgerRoutes.ONE + "/import", LedgerRoutes.need(Action.WRITE), this::load),
        new Route(
            "GET", LedgerRoutes.ONE + "/export", LedgerRoutes.need(Action.READ), this::export));
  }

  private Reply export(Call call) throws IOException {
    Optional<Moment> asOf = call.query("asOf").map(TransferRoutes::moment);
    Optional<Long> since = call.number("historySince", 0, Long.MAX_VALUE);
    if (asOf.isPresent() && since.isPresent()) {
      throw Call.invalid("asOf and historySince exclude one another; say one");
    }
    Scope scope =
        asOf.isPresent()
            ? scope(asOf.get())
            : since.isPresent() ? new Scope.HistorySince(since.get()) : Scope.Latest.LATEST;
    Metadata metadata = call.flag("withMetadata") ? Metadata.COMMIT_ID : Metadata.NONE;
    Optional<Long> schemaOf = call.number("schemaAsOfCommit", 0, Long.MAX_VALUE);
    Schema schema = schemaOf.isPresent() ? new Schema.AtCommit(schemaOf.get()) : Schema.Now.NOW;
    List<VersionMix> mixes = new ArrayList<>();
    Reply reply =
        Streams.streamed(
            call,
            Streams.LINES,
            Map.of(),
            held -> {
              Ledger ledger = held.add(open.lend(LedgerRoutes.address(call))).ledger();
              Set<TypeId> known = ledger.contents().types();
              Set<TypeId> wanted = new TreeSet<>();
              call.queries("type").forEach(name -> wanted.add(TypeRoutes.resolve(name, known)));
              Export export =
                  new Export(
                      ledger,
                      ExportOptions.standard().of(wanted).with(scope).with(metadata).with(schema));
              mixes.addAll(export.versions());
              return sheet -> {
                Export.Report unused = export.lines(sheet::line);
              };
            });
    return SchemaVersions.noted(reply, mixes);
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

  private static Scope scope(Moment moment) {
    return moment instanceof Moment.AtTime at
        ? new Scope.AtTime(at.time())
        : new Scope.AsOf(((Moment.AtCommit) moment).id());
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
