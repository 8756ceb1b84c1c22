// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.branch.Merge;
import io.tidemark.ledger.branch.MergeOutcome;
import io.tidemark.ledger.branch.MergeOutcome.Conflicted;
import io.tidemark.ledger.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.branch.MergeOutcome.Merged;
import io.tidemark.ledger.branch.Point;
import io.tidemark.ledger.branch.Resolution;
import io.tidemark.ledger.named.NamedBranches;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.view.BranchJson;
import io.tidemark.names.Address;
import io.tidemark.names.Branches;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.view.DropJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Branches of a ledger: made, dropped, compared and merged. */
final class BranchRoutes {

  private static final String BRANCHES = LedgerRoutes.ONE + "/branches";

  private final LedgerCache open;
  private final LedgerServices ledgers;
  private final Turnstile queries;

  BranchRoutes(LedgerCache open, LedgerServices ledgers, Turnstile queries) {
    this.open = open;
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", BRANCHES, LedgerRoutes.need(Action.READ), this::list),
        new Route("POST", BRANCHES, LedgerRoutes.need(Action.READ), this::create),
        new Route("DELETE", BRANCHES + "/{branch}", LedgerRoutes.need(Action.READ), this::drop),
        new Route(
            "POST", BRANCHES + "/finish-drops", LedgerRoutes.need(Action.READ), this::finishDrops),
        new Route("GET", LedgerRoutes.ONE + "/diff", LedgerRoutes.need(Action.READ), this::diff),
        new Route(
            "POST", LedgerRoutes.ONE + "/merge", LedgerRoutes.need(Action.WRITE), this::merge));
  }

  private NamedBranches branches() {
    return new NamedBranches(open.ledgers(), open.options());
  }

  private static ObjectNode json(NameRecord record) {
    return LedgerRoutes.listed(record)
        .put("branch", record.address().branch())
        .put("source_branch", record.meta().sourceBranch().orElse(null));
  }

  private Reply list(Call call) {
    Address address = LedgerRoutes.address(call);
    List<NameRecord> records = open.names().branches().list(address.name());
    if (records.isEmpty()) {
      throw new NotFoundException("there is no ledger " + address.name() + "; check the name");
    }
    List<NameRecord> readable =
        records.stream()
            .filter(
                record -> call.caller().may(Action.READ, Realm.NAMES, record.address().toString()))
            .sorted(Comparator.comparing(record -> record.address().branch()))
            .toList();
    return Reply.ok(
        PageToken.pageOf(call, readable, record -> record.address().branch(), BranchRoutes::json));
  }

  /** Takes the right to read what is branched from, and to write what is made. */
  private Reply create(Call call) throws IOException {
    Members body = Members.of(call);
    Address source = LedgerRoutes.address(call);
    String branch = body.requiredText("branch");
    Address target = source.onBranch(new BranchName(branch).text());
    call.caller().require(Action.WRITE, Realm.NAMES, target.toString());
    Optional<Long> at = body.number("at", 0, Long.MAX_VALUE);
    NameRecord made =
        at.isPresent()
            ? branches().createAt(source, branch, at.get())
            : branches().create(source, branch);
    return Reply.json(201, json(made))
        .with("Location", "/v1/ledgers/" + target.toString().replace("/", "%2F"));
  }

  /** Commits that are on no other branch go with it, so it takes an administrator of the branch. */
  private Reply drop(Call call) {
    Address address =
        LedgerRoutes.address(call).onBranch(new BranchName(call.path("branch")).text());
    call.caller().require(Action.ADMIN, Realm.NAMES, address.toString());
    Branches.Drop drop = branches().drop(address);
    open.dismiss(address);
    drop.cascaded().forEach(open::dismiss);
    return Reply.ok(DropJson.of(address, drop));
  }

  /** Takes an administrator of all branches, since any of them may be one to be dropped. */
  private Reply finishDrops(Call call) {
    Address address = LedgerRoutes.address(call);
    call.caller().require(Action.ADMIN, Realm.NAMES, address.name() + ":");
    List<Address> gone = branches().finishDrops(address);
    gone.forEach(open::dismiss);
    return Reply.ok(
        DropJson.of(address.name(), gone, open.names().branches().unfinished(address.name())));
  }

  /** Returns a state that is compared, if the caller may read its branch. */
  private static String point(Call call, String parameter) {
    Address address = LedgerRoutes.address(call);
    String text = call.query(parameter).orElse("");
    Point point = Point.parse(text, new BranchName(address.branch()));
    call.caller()
        .require(Action.READ, Realm.NAMES, address.onBranch(point.branch().text()).toString());
    return text;
  }

  private Reply diff(Call call) throws IOException {
    Optional<Long> schemaOf = call.number("schemaAsOfCommit", 0, Long.MAX_VALUE);
    DiffRequest request =
        new DiffRequest(
            point(call, "from"),
            point(call, "to"),
            call.flag("stat"),
            schemaOf.map(OptionalLong::of).orElseGet(OptionalLong::empty));
    Streams.Started<Streamed<DiffSummary, RowDifference>> started =
        Streams.start(held -> found(call, request));
    Streamed<DiffSummary, RowDifference> diff = started.result();
    boolean lines = Streams.wantsLines(call) && !request.stat();
    Reply reply =
        started.reply(
            call,
            lines ? Streams.LINES : Reply.JSON,
            Map.of(),
            sheet -> {
              if (lines) {
                diff.forEach(sheet::record);
                diff.head().purged().forEach(sheet::record);
              } else if (request.stat()) {
                sheet.record(diff.head());
              } else {
                sheet.document(diff.head(), "differences", diff::forEach);
              }
            });
    return SchemaVersions.noted(reply, diff.head().schemaVersions());
  }

  /** How long the caller then takes to read it is no concern of queries that wait. */
  private Streamed<DiffSummary, RowDifference> found(Call call, DiffRequest request) {
    try (Turnstile.Visit unused = queries.enter();
        Deadline deadline = new Deadline(call)) {
      return ledgers.of(call).until(deadline.cancellation()).commits().diff(request, read -> {});
    }
  }

  private Reply merge(Call call) throws IOException {
    Members body = Members.of(call);
    Address target = LedgerRoutes.address(call);
    BranchName source = new BranchName(body.requiredText("source"));
    call.caller().require(Action.READ, Realm.NAMES, target.onBranch(source.text()).toString());
    call.caller().require(Action.READ, Realm.NAMES, target.toString()); // conflicts show its rows
    Resolution resolution = resolution(body.text("resolution").orElse("refuse"));
    boolean apply = body.flag("apply");
    Map<String, String> metadata = CommitRoutes.metadata(body, call);
    MergeOutcome outcome;
    try (Turnstile.Visit unused = queries.enter();
        Deadline deadline = new Deadline(call)) {
      outcome =
          open.with(
              target,
              ledger -> {
                Merge merge =
                    ledger
                        .merge(source, resolution)
                        .telling(read -> deadline.cancellation().check());
                return apply ? merge.apply(metadata) : merge.preview();
              });
    }
    boolean done = outcome instanceof FastForward || outcome instanceof Merged;
    ObjectNode json =
        BranchJson.merge(outcome)
            .put("source", source.text())
            .put("target", target.branch())
            .put("applied", apply && done);
    if (apply && outcome instanceof Conflicted conflicted) {
      throw new ProblemException(
          Problem.of(
                  409,
                  "merge-conflict",
                  conflicted.total()
                      + (conflicted.total() == 1 ? " row was" : " rows were")
                      + " changed on both branches, in the same fields; change one side,"
                      + " or say \"resolution\": \"ours\" or \"theirs\"")
              .with("merge", json));
    }
    return Reply.ok(json);
  }

  private static Resolution resolution(String word) {
    return switch (word) {
      case "refuse" -> Resolution.REFUSE;
      case "ours" -> Resolution.OURS;
      case "theirs" -> Resolution.THEIRS;
      default ->
          throw Call.invalid("\"resolution\" is refuse, ours or theirs, unlike \"" + word + "\"");
    };
  }
}
