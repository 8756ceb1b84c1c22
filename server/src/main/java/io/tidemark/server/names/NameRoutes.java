// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.SourceType;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Lane;
import io.tidemark.server.names.RecordBodies.Body;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Records by their addresses, and with them all other routes of names. */
public final class NameRoutes {

  static final Need READ = Need.of(Action.READ, Realm.NAMES, "address");
  static final Need WRITE = Need.of(Action.WRITE, Realm.NAMES, "address");

  /** What can't be undone. */
  static final Need ADMIN = Need.of(Action.ADMIN, Realm.NAMES, "address");

  /** So many records are looked at for one page, also when the caller may see few of them. */
  private static final int MOST_SEEN = 10_000;

  private final NameService names;
  private final RecordBodies bodies = new RecordBodies();

  public NameRoutes(NameService names) {
    this.names = names;
  }

  /** All routes of names. */
  public List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.add(new Route("GET", "/v1/names/{address}", READ, this::show).in(Lane.LOOKUP));
    all.add(new Route("GET", "/v1/names", Need.some(Action.READ, Realm.NAMES), this::list));
    all.add(new Route("POST", "/v1/names/{address}", WRITE, this::create));
    all.add(new Route("DELETE", "/v1/names/{address}", ADMIN, this::purge));
    all.add(new Route("POST", "/v1/names/{address}/retract", WRITE, this::retract));
    all.add(new Route("POST", "/v1/names/{address}/restore", WRITE, this::restore));
    all.addAll(new HeadRoutes(names, bodies).routes());
    all.addAll(new BranchRoutes(names, bodies).routes());
    all.addAll(new SourceRoutes(names, bodies).routes());
    all.addAll(new LockRoutes(names).routes());
    all.addAll(new StoreRoutes(names, bodies).routes());
    all.addAll(new ConcernRoutes(names, bodies).routes()); // takes any third step
    return all;
  }

  private Reply show(Call call) {
    Address address = address(call);
    Optional<NameRecord> found = names.find(address);
    return found.isPresent()
        ? shown(call, bodies.record(found.get(), call))
        : Conflicts.notFound(address);
  }

  /** What a caller asked to see, unless it has it already. */
  static Reply shown(Call call, Body body) {
    Map<String, String> headers = Map.of("ETag", body.tag());
    Optional<String> known = call.header("If-None-Match");
    return known.isPresent() && Tags.matches(known.get(), body.tag())
        ? new Reply.Empty(304, headers)
        : new Reply.Json(200, Reply.JSON, body.json(), headers);
  }

  private Reply list(Call call) {
    int limit = call.pageSize();
    String after = PageToken.of(call).or(() -> call.query("after")).orElse("");
    Optional<Boolean> retracted =
        call.query("retracted").isPresent()
            ? Optional.of(call.flag("retracted"))
            : Optional.empty();
    List<JsonNode> items = new ArrayList<>();
    String last = after;
    int seen = 0;
    try (Stream<NameRecord> found = names.backend().list(filter(call).prefix(), after)) {
      RecordFilter filter = filter(call);
      Iterator<NameRecord> records = found.iterator();
      boolean more = records.hasNext();
      while (more && items.size() < limit && seen < MOST_SEEN) {
        NameRecord record = records.next();
        seen++;
        last = record.address().toString();
        boolean wanted =
            filter.matches(record)
                && retracted.map(r -> r == record.meta().retracted()).orElse(true);
        if (wanted && call.caller().may(Action.READ, Realm.NAMES, last)) {
          items.add(bodies.record(record, call).json());
        }
        more = records.hasNext();
      }
      return Reply.ok(PageToken.page(items, more ? Optional.of(last) : Optional.empty()));
    }
  }

  private static RecordFilter filter(Call call) {
    RecordFilter filter = RecordFilter.all().startingWith(call.query("prefix").orElse(""));
    Optional<Kind> kind = call.query("kind").map(NameRoutes::kind);
    filter = kind.map(filter::ofKind).orElse(filter);
    filter = call.query("type").map(SourceType::new).map(filter::ofType).orElse(filter);
    return call.query("state").map(filter::inState).orElse(filter);
  }

  private static Kind kind(String word) {
    return Stream.of(Kind.values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(
            () -> Call.invalid("the kind is ledger or graph_source, unlike \"" + word + "\""));
  }

  private Reply create(Call call) {
    NameRecord made = names.create(address(call));
    return tagged(201, bodies.record(made, call));
  }

  static Reply tagged(int status, Body body) {
    return new Reply.Json(status, Reply.JSON, body.json(), Map.of("ETag", body.tag()));
  }

  private Reply purge(Call call) {
    Address address = address(call);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return Reply.ok(
        names.purge(address)
            ? json.put("purged", address.toString())
            : json.putNull("purged").put("absent", address.toString()));
  }

  private Reply retract(Call call) {
    return tagged(200, bodies.record(names.retract(address(call)), call));
  }

  private Reply restore(Call call) {
    return tagged(200, bodies.record(names.restore(address(call)), call));
  }

  static Address address(Call call) {
    return Address.parse(call.path("address"));
  }
}
