// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.BranchEntry;
import io.tidemark.api.ledger.BranchRequest;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.MergeRequest;
import io.tidemark.api.ledger.MergeResult;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Routes of branches of a ledger: creating, dropping, comparing and merging. */
final class LedgerBranchRoutes {

  private static final String BRANCHES = LedgerRoutes.ONE + "/branches";

  private final LedgerServiceResolver ledgers;
  private final QueryLimiter queries;

  LedgerBranchRoutes(LedgerServiceResolver ledgers, QueryLimiter queries) {
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", BRANCHES, LedgerRoutes.permission(Action.READ), this::list),
        new Route("POST", BRANCHES, LedgerRoutes.permission(Action.READ), this::create),
        new Route(
            "DELETE", BRANCHES + "/{branch}", LedgerRoutes.permission(Action.READ), this::drop),
        new Route(
            "POST",
            BRANCHES + "/finish-drops",
            LedgerRoutes.permission(Action.READ),
            this::finishDrops),
        new Route(
            "GET", LedgerRoutes.ONE + "/diff", LedgerRoutes.permission(Action.READ), this::diff),
        new Route(
            "POST",
            LedgerRoutes.ONE + "/merge",
            LedgerRoutes.permission(Action.WRITE),
            this::merge));
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    List<BranchEntry> readable =
        ledgers.of(httpRequestContext).branches().list().stream()
            .filter(
                branch ->
                    httpRequestContext
                        .caller()
                        .may(Action.READ, ResourceType.NAMES, branch.ledger()))
            .toList();
    return RouteResponse.ok(
        Pagination.pageOf(httpRequestContext, readable, BranchEntry::branch, WireJson::tree));
  }

  /** Creates a branch. Requires the rights to read the source and to write the new branch. */
  private RouteResponse create(HttpRequestContext httpRequestContext) throws IOException {
    BranchRequest request = httpRequestContext.body(BranchRequest.class);
    Address target = branch(httpRequestContext, request.branch());
    httpRequestContext.caller().require(Action.WRITE, ResourceType.NAMES, target.toString());
    return RouteResponse.json(
            201, WireJson.tree(ledgers.of(httpRequestContext).branches().create(request)))
        .with("Location", "/v1/ledgers/" + target.toString().replace("/", "%2F"));
  }

  private static Address branch(HttpRequestContext httpRequestContext, String name) {
    return LedgerRoutes.address(httpRequestContext).onBranch(new BranchName(name).text());
  }

  /**
   * Drops a branch. Requires the right to administer the branch, since commits that are on no other
   * branch are lost.
   */
  private RouteResponse drop(HttpRequestContext httpRequestContext) {
    String branch = httpRequestContext.path("branch");
    httpRequestContext
        .caller()
        .require(Action.ADMIN, ResourceType.NAMES, branch(httpRequestContext, branch).toString());
    return RouteResponse.ok(WireJson.tree(ledgers.of(httpRequestContext).branches().drop(branch)));
  }

  /**
   * Finishes interrupted drops. Requires the right to administer all branches, since each of them
   * may be one to drop.
   */
  private RouteResponse finishDrops(HttpRequestContext httpRequestContext) {
    httpRequestContext
        .caller()
        .require(
            Action.ADMIN,
            ResourceType.NAMES,
            LedgerRoutes.address(httpRequestContext).name() + ":");
    return RouteResponse.ok(WireJson.tree(ledgers.of(httpRequestContext).branches().finishDrops()));
  }

  /** Returns a state to compare, and requires the right to read its branch. */
  private static String point(HttpRequestContext httpRequestContext, String parameter) {
    Address address = LedgerRoutes.address(httpRequestContext);
    String text = httpRequestContext.query(parameter).orElse("");
    Revision revision = Revision.parse(text, new BranchName(address.branch()));
    httpRequestContext
        .caller()
        .require(
            Action.READ, ResourceType.NAMES, address.onBranch(revision.branch().text()).toString());
    return text;
  }

  private RouteResponse diff(HttpRequestContext httpRequestContext) throws IOException {
    DiffRequest request =
        new DiffRequest(
            point(httpRequestContext, "from"),
            point(httpRequestContext, "to"),
            httpRequestContext.flag("stat"),
            LedgerRoutes.number(httpRequestContext, "schemaAsOfCommit", 0, Long.MAX_VALUE));
    StreamedResponses.StartedResult<ResultStream<DiffSummary, RowDifference>> startedResult =
        StreamedResponses.start(resources -> found(httpRequestContext, request));
    ResultStream<DiffSummary, RowDifference> diff = startedResult.result();
    boolean lines = StreamedResponses.acceptsLines(httpRequestContext) && !request.stat();
    RouteResponse routeResponse =
        startedResult.reply(
            httpRequestContext,
            lines ? StreamedResponses.LINES : RouteResponse.JSON,
            Map.of(),
            jsonStreamWriter -> {
              if (lines) {
                diff.forEach(jsonStreamWriter::record);
                diff.header().purged().forEach(jsonStreamWriter::record);
              } else if (request.stat()) {
                jsonStreamWriter.record(diff.header());
              } else {
                jsonStreamWriter.document(diff.header(), "differences", diff::forEach);
              }
            });
    return SchemaVersionHeader.addTo(routeResponse, diff.header().schemaVersions());
  }

  /**
   * Finds the differences. The query limit doesn't apply to the time in which the client reads the
   * result.
   */
  private ResultStream<DiffSummary, RowDifference> found(
      HttpRequestContext httpRequestContext, DiffRequest request) {
    try (QueryLimiter.Permit unused = queries.acquire();
        QueryTimeout queryTimeout = new QueryTimeout(httpRequestContext)) {
      return ledgers
          .of(httpRequestContext)
          .withCancellation(queryTimeout.cancellation())
          .commits()
          .diff(request, read -> {});
    }
  }

  private RouteResponse merge(HttpRequestContext httpRequestContext) throws IOException {
    MergeRequest request = httpRequestContext.body(MergeRequest.class);
    Address target = LedgerRoutes.address(httpRequestContext);
    httpRequestContext
        .caller()
        .require(
            Action.READ,
            ResourceType.NAMES,
            branch(httpRequestContext, request.source()).toString());
    httpRequestContext
        .caller()
        .require(Action.READ, ResourceType.NAMES, target.toString()); // conflicts show its rows
    MergeRequest signed =
        request.withMetadata(CommitRoutes.signed(request.metadata(), httpRequestContext));
    MergeResult result;
    try (QueryLimiter.Permit unused = queries.acquire();
        QueryTimeout queryTimeout = new QueryTimeout(httpRequestContext)) {
      result =
          ledgers
              .of(httpRequestContext)
              .withCancellation(queryTimeout.cancellation())
              .branches()
              .merge(signed, read -> {});
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
    return RouteResponse.ok(WireJson.tree(result));
  }
}
