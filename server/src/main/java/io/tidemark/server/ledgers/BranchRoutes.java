// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.Streamed;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.BranchRequest;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.ListedBranch;
import io.tidemark.api.ledger.MergeRequest;
import io.tidemark.api.ledger.MergeResult;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.ledger.internal.branch.Point;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Branches of a ledger: made, dropped, compared and merged. */
final class BranchRoutes {

  private static final String BRANCHES = LedgerRoutes.ONE + "/branches";

  private final LedgerServices ledgers;
  private final Turnstile queries;

  BranchRoutes(LedgerServices ledgers, Turnstile queries) {
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

  private Reply list(Call call) {
    List<ListedBranch> readable =
        ledgers.of(call).branches().list().stream()
            .filter(branch -> call.caller().may(Action.READ, Realm.NAMES, branch.ledger()))
            .toList();
    return Reply.ok(PageToken.pageOf(call, readable, ListedBranch::branch, WireJson::tree));
  }

  /** Takes the right to read what is branched from, and to write what is made. */
  private Reply create(Call call) throws IOException {
    BranchRequest request = call.body(BranchRequest.class);
    Address target = branch(call, request.branch());
    call.caller().require(Action.WRITE, Realm.NAMES, target.toString());
    return Reply.json(201, WireJson.tree(ledgers.of(call).branches().create(request)))
        .with("Location", "/v1/ledgers/" + target.toString().replace("/", "%2F"));
  }

  private static Address branch(Call call, String name) {
    return LedgerRoutes.address(call).onBranch(new BranchName(name).text());
  }

  /** Commits that are on no other branch go with it, so it takes an administrator of the branch. */
  private Reply drop(Call call) {
    String branch = call.path("branch");
    call.caller().require(Action.ADMIN, Realm.NAMES, branch(call, branch).toString());
    return Reply.ok(WireJson.tree(ledgers.of(call).branches().drop(branch)));
  }

  /** Takes an administrator of all branches, since any of them may be one to be dropped. */
  private Reply finishDrops(Call call) {
    call.caller().require(Action.ADMIN, Realm.NAMES, LedgerRoutes.address(call).name() + ":");
    return Reply.ok(WireJson.tree(ledgers.of(call).branches().finishDrops()));
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
    DiffRequest request =
        new DiffRequest(
            point(call, "from"),
            point(call, "to"),
            call.flag("stat"),
            LedgerRoutes.number(call, "schemaAsOfCommit", 0, Long.MAX_VALUE));
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
    MergeRequest request = call.body(MergeRequest.class);
    Address target = LedgerRoutes.address(call);
    call.caller().require(Action.READ, Realm.NAMES, branch(call, request.source()).toString());
    call.caller().require(Action.READ, Realm.NAMES, target.toString()); // conflicts show its rows
    MergeRequest signed = request.withMetadata(CommitRoutes.signed(request.metadata(), call));
    MergeResult result;
    try (Turnstile.Visit unused = queries.enter();
        Deadline deadline = new Deadline(call)) {
      result = ledgers.of(call).until(deadline.cancellation()).branches().merge(signed, read -> {});
    }
    if (request.apply() && result instanceof MergeResult.Conflicted conflicted) {
      throw new ProblemException(
          Problem.of(
                  409,
                  "merge-conflict",
                  conflicted.conflicts()
                      + (conflicted.conflicts() == 1 ? " row was" : " rows were")
                      + " changed on both branches, in the same fields; change one side,"
                      + " or say \"resolution\": \"ours\" or \"theirs\"")
              .with("merge", WireJson.tree(result)));
    }
    return Reply.ok(WireJson.tree(result));
  }
}
