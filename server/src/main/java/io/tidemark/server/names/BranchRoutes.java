// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.internal.named.UsualPlace;
import io.tidemark.names.Address;
import io.tidemark.names.DropMode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RefusedException;
import io.tidemark.names.view.DropJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Branches of names. Where a ledger lies behind a name its commits branch too, which the routes of
 * ledgers do; here that is refused.
 */
final class BranchRoutes {

  private final NameService names;
  private final RecordBodies bodies;

  BranchRoutes(NameService names, RecordBodies bodies) {
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

  /** The branches of the name that aren't retracted. */
  private Reply list(Call call) {
    Address address = NameRoutes.address(call);
    return page(call, names.branches().list(address.name()).stream());
  }

  /** The branches that were made from this one, retracted ones too. */
  private Reply children(Call call) {
    try (Stream<NameRecord> found = names.backend().store().branchesOf(NameRoutes.address(call))) {
      return page(call, found);
    }
  }

  private Reply page(Call call, Stream<NameRecord> records) {
    int limit = call.pageSize();
    String after = PageToken.of(call).orElse("");
    List<NameRecord> rest =
        records
            .filter(record -> record.address().toString().compareTo(after) > 0)
            .filter(r -> call.caller().may(Action.READ, Realm.NAMES, r.address().toString()))
            .sorted(Comparator.comparing(NameRecord::address))
            .limit(limit + 1L)
            .toList();
    List<NameRecord> shown = rest.subList(0, Math.min(limit, rest.size()));
    List<JsonNode> items = new ArrayList<>();
    shown.forEach(record -> items.add(bodies.record(record, call).json()));
    return Reply.ok(
        PageToken.page(
            items,
            rest.size() > limit
                ? Optional.of(shown.get(limit - 1).address().toString())
                : Optional.empty()));
  }

  /** Body of a request that makes a branch. */
  record NewBranch(String branch, Optional<ObjectNode> at) {}

  private Reply create(Call call) throws IOException {
    Address source = NameRoutes.address(call);
    NewBranch wanted = call.body(NewBranch.class);
    call.caller().require(Action.WRITE, Realm.NAMES, source.onBranch(wanted.branch).toString());
    requireNamesOnly(source);
    NameRecord made =
        names.branches().create(source, wanted.branch, wanted.at.map(HeadRoutes::ref));
    return NameRoutes.tagged(201, bodies.record(made, call));
  }

  /**
   * Drops a branch, with {@code whole} a ledger with all of its branches, or with {@code
   * unfinished} those branches whose drop a process broke off.
   */
  private Reply drop(Call call) throws IOException {
    String text = call.path("address");
    if (call.flag("whole") && call.flag("unfinished")) {
      throw Call.invalid(
          "\"whole\" drops every branch of the name, and \"unfinished\" those alone whose drop was"
              + " broken off; say one of them");
    }
    if (call.flag("whole")) {
      // Who may drop one branch may not drop the others.
      call.caller().require(Action.ADMIN, Realm.NAMES, Address.parse(text).name() + ":");
      DropMode mode = purges(call) ? DropMode.PURGE : DropMode.RETRACT;
      return Reply.ok(DropJson.of(text, names.ledgers().drop(text, mode)));
    }
    Address address = Address.parse(text);
    requireNamesOnly(address);
    if (call.flag("unfinished")) {
      call.caller().require(Action.ADMIN, Realm.NAMES, address.name() + ":");
      List<Address> gone = names.branches().finishDrops(address.name());
      return Reply.ok(
          DropJson.of(address.name(), gone, names.branches().unfinished(address.name())));
    }
    return Reply.ok(DropJson.of(address, names.branches().drop(address)));
  }

  /** Whether branches are purged, by the parameter of now or that of earlier clients. */
  private static boolean purges(Call call) {
    if (call.query("hard").isPresent() && call.query("purge").isPresent()) {
      throw Call.invalid("\"hard\" is the former name of \"purge\"; say purge alone");
    }
    return call.flag("purge") || call.flag("hard");
  }

  /** What a config says is for the routes of ledgers to judge; nothing is opened for it here. */
  private void requireNamesOnly(Address address) {
    NamedLedgers beside =
        new NamedLedgers(
            names,
            (each, objects) -> {
              if (!objects.equals(UsualPlace.of(each))) {
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
