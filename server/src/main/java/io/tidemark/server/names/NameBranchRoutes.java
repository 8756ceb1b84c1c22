// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.DefaultLocation;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.names.Address;
import io.tidemark.names.DropMode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RefusedException;
import io.tidemark.names.view.DropJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Routes of branches of names. Names with a ledger are refused, since their commits branch too; the
 * routes of ledgers handle those.
 */
final class NameBranchRoutes {

  private final NameService names;
  private final RecordRenderer bodies;

  NameBranchRoutes(NameService names, RecordRenderer bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/names/{address}/branches", NameRoutes.READ, this::list),
        new Route("POST", "/v1/names/{address}/branches", NameRoutes.WRITE, this::create),
        new Route("GET", "/v1/names/{address}/children", NameRoutes.READ, this::children),
        new Route("POST", "/v1/names/{address}/drop", NameRoutes.ADMIN, this::drop));
  }

  /** Lists the branches of the name that aren't retracted. */
  private RouteResponse list(HttpRequestContext httpRequestContext) {
    Address address = NameRoutes.address(httpRequestContext);
    return page(httpRequestContext, names.branches().list(address.name()).stream());
  }

  /** Lists the branches that were created from this one, including retracted ones. */
  private RouteResponse children(HttpRequestContext httpRequestContext) {
    try (Stream<NameRecord> found =
        names.backend().store().branchesOf(NameRoutes.address(httpRequestContext))) {
      return page(httpRequestContext, found);
    }
  }

  private RouteResponse page(HttpRequestContext httpRequestContext, Stream<NameRecord> records) {
    int limit = httpRequestContext.pageSize();
    String after = Pagination.of(httpRequestContext).orElse("");
    List<NameRecord> rest =
        records
            .filter(record -> record.address().toString().compareTo(after) > 0)
            .filter(
                r ->
                    httpRequestContext
                        .caller()
                        .may(Action.READ, ResourceType.NAMES, r.address().toString()))
            .sorted(Comparator.comparing(NameRecord::address))
            .limit(limit + 1L)
            .toList();
    List<NameRecord> shown = rest.subList(0, Math.min(limit, rest.size()));
    List<JsonNode> items = new ArrayList<>();
    shown.forEach(record -> items.add(bodies.record(record, httpRequestContext).json()));
    return RouteResponse.ok(
        Pagination.page(
            items,
            rest.size() > limit
                ? Optional.of(shown.get(limit - 1).address().toString())
                : Optional.empty()));
  }

  /** Body of a request that makes a branch. */
  record NewBranch(String branch, Optional<ObjectNode> at) {}

  private RouteResponse create(HttpRequestContext httpRequestContext) throws IOException {
    Address source = NameRoutes.address(httpRequestContext);
    NewBranch wanted = httpRequestContext.body(NewBranch.class);
    httpRequestContext
        .caller()
        .require(Action.WRITE, ResourceType.NAMES, source.onBranch(wanted.branch).toString());
    requireNamesOnly(source);
    NameRecord made =
        names.branches().create(source, wanted.branch, wanted.at.map(HeadRoutes::ref));
    return NameRoutes.tagged(201, bodies.record(made, httpRequestContext));
  }

  /**
   * Drops a branch; with {@code whole} a ledger with all of its branches, or with {@code
   * unfinished} the branches whose drop was interrupted.
   */
  private RouteResponse drop(HttpRequestContext httpRequestContext) throws IOException {
    String text = httpRequestContext.path("address");
    if (httpRequestContext.flag("whole") && httpRequestContext.flag("unfinished")) {
      throw HttpRequestContext.invalid(
          "\"whole\" drops every branch of the name, and \"unfinished\" those alone whose drop was"
              + " broken off; say one of them");
    }
    if (httpRequestContext.flag("whole")) {
      // The right to drop one branch doesn't include the others.
      httpRequestContext
          .caller()
          .require(Action.ADMIN, ResourceType.NAMES, Address.parse(text).name() + ":");
      DropMode mode = purges(httpRequestContext) ? DropMode.PURGE : DropMode.RETRACT;
      return RouteResponse.ok(DropJson.of(text, names.ledgers().drop(text, mode)));
    }
    Address address = Address.parse(text);
    requireNamesOnly(address);
    if (httpRequestContext.flag("unfinished")) {
      httpRequestContext.caller().require(Action.ADMIN, ResourceType.NAMES, address.name() + ":");
      List<Address> gone = names.branches().finishDrops(address.name());
      return RouteResponse.ok(
          DropJson.of(address.name(), gone, names.branches().unfinished(address.name())));
    }
    return RouteResponse.ok(DropJson.of(address, names.branches().drop(address)));
  }

  /** Returns whether to purge branches, by the current parameter or that of earlier clients. */
  private static boolean purges(HttpRequestContext httpRequestContext) {
    if (httpRequestContext.query("hard").isPresent()
        && httpRequestContext.query("purge").isPresent()) {
      throw HttpRequestContext.invalid("\"hard\" is the former name of \"purge\"; say purge alone");
    }
    return httpRequestContext.flag("purge") || httpRequestContext.flag("hard");
  }

  /**
   * Refuses a name with a ledger. Opens no ledger, since only the routes of ledgers check locations
   * in a config.
   */
  private void requireNamesOnly(Address address) {
    NamedLedgers beside =
        new NamedLedgers(
            names,
            (each, objects) -> {
              if (!objects.equals(DefaultLocation.of(each))) {
                throw hasLedger(address);
              }
            });
    if (new NamedBranches(beside, LedgerOptions.standard()).hasLedger(address)) {
      throw hasLedger(address);
    }
  }

  private static RefusedException hasLedger(Address address) {
    return new RefusedException(
        address
            + " has a ledger, whose commits branch with its name; use the routes of ledgers, see"
            + " /openapi.json");
  }
}
