// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.names.RecordRenderer.Body;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Routes of records by address, and all other routes of names. */
public final class NameRoutes {

  static final RequiredPermission READ =
      RequiredPermission.of(Action.READ, ResourceType.NAMES, "address");
  static final RequiredPermission WRITE =
      RequiredPermission.of(Action.WRITE, ResourceType.NAMES, "address");

  /** Permission for irreversible operations. */
  static final RequiredPermission ADMIN =
      RequiredPermission.of(Action.ADMIN, ResourceType.NAMES, "address");

  /** Maximum number of records to read for one page, even if the caller may see few of them. */
  private static final int MOST_SEEN = 10_000;

  private final NameService names;
  private final RecordRenderer bodies = new RecordRenderer();

  public NameRoutes(NameService names) {
    this.names = names;
  }

  /** Returns all routes of names. */
  public List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.add(
        new Route("GET", "/v1/names/{address}", READ, this::show)
            .withDispatchClass(DispatchClass.LOOKUP));
    all.add(
        new Route(
            "GET",
            "/v1/names",
            RequiredPermission.onAny(Action.READ, ResourceType.NAMES),
            this::list));
    all.add(new Route("POST", "/v1/names/{address}", WRITE, this::create));
    all.add(new Route("DELETE", "/v1/names/{address}", ADMIN, this::purge));
    all.add(new Route("POST", "/v1/names/{address}/retract", WRITE, this::retract));
    all.add(new Route("POST", "/v1/names/{address}/restore", WRITE, this::restore));
    all.addAll(new HeadRoutes(names, bodies).routes());
    all.addAll(new NameBranchRoutes(names, bodies).routes());
    all.addAll(new SourceRoutes(names, bodies).routes());
    all.addAll(new LockRoutes(names).routes());
    all.addAll(new StoreRoutes(names, bodies).routes());
    all.addAll(new ConcernRoutes(names, bodies).routes()); // matches any third step
    return all;
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    Address address = address(httpRequestContext);
    Optional<NameRecord> found = names.find(address);
    return found.isPresent()
        ? shown(httpRequestContext, bodies.record(found.get(), httpRequestContext))
        : ConflictProblems.notFound(address);
  }

  /** Returns the answer with a state, or status 304 if the caller has it already. */
  static RouteResponse shown(HttpRequestContext httpRequestContext, Body body) {
    Map<String, String> headers = Map.of("ETag", body.tag());
    Optional<String> known = httpRequestContext.header("If-None-Match");
    return known.isPresent() && ETags.matches(known.get(), body.tag())
        ? new RouteResponse.Empty(304, headers)
        : new RouteResponse.Json(200, RouteResponse.JSON, body.json(), headers);
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    int limit = httpRequestContext.pageSize();
    String after =
        Pagination.of(httpRequestContext).or(() -> httpRequestContext.query("after")).orElse("");
    Optional<Boolean> retracted =
        httpRequestContext.query("retracted").isPresent()
            ? Optional.of(httpRequestContext.flag("retracted"))
            : Optional.empty();
    List<JsonNode> items = new ArrayList<>();
    String last = after;
    int seen = 0;
    try (Stream<NameRecord> found =
        names.backend().list(filter(httpRequestContext).prefix(), after)) {
      RecordFilter filter = filter(httpRequestContext);
      Iterator<NameRecord> records = found.iterator();
      boolean more = records.hasNext();
      while (more && items.size() < limit && seen < MOST_SEEN) {
        NameRecord record = records.next();
        seen++;
        last = record.address().toString();
        boolean wanted =
            filter.matches(record)
                && retracted.map(r -> r == record.meta().retracted()).orElse(true);
        if (wanted && httpRequestContext.caller().may(Action.READ, ResourceType.NAMES, last)) {
          items.add(bodies.record(record, httpRequestContext).json());
        }
        more = records.hasNext();
      }
      return RouteResponse.ok(Pagination.page(items, more ? Optional.of(last) : Optional.empty()));
    }
  }

  private static RecordFilter filter(HttpRequestContext httpRequestContext) {
    RecordFilter filter =
        RecordFilter.all().startingWith(httpRequestContext.query("prefix").orElse(""));
    Optional<RecordKind> kind = httpRequestContext.query("kind").map(NameRoutes::kind);
    filter = kind.map(filter::ofKind).orElse(filter);
    filter =
        httpRequestContext.query("type").map(SourceType::new).map(filter::ofType).orElse(filter);
    return httpRequestContext.query("state").map(filter::inState).orElse(filter);
  }

  private static RecordKind kind(String word) {
    return Stream.of(RecordKind.values())
        .filter(recordKind -> recordKind.text().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "the kind is ledger or graph_source, unlike \"" + word + "\""));
  }

  private RouteResponse create(HttpRequestContext httpRequestContext) {
    NameRecord made = names.create(address(httpRequestContext));
    return tagged(201, bodies.record(made, httpRequestContext));
  }

  static RouteResponse tagged(int status, Body body) {
    return new RouteResponse.Json(
        status, RouteResponse.JSON, body.json(), Map.of("ETag", body.tag()));
  }

  private RouteResponse purge(HttpRequestContext httpRequestContext) {
    Address address = address(httpRequestContext);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return RouteResponse.ok(
        names.purge(address)
            ? json.put("purged", address.toString())
            : json.putNull("purged").put("absent", address.toString()));
  }

  private RouteResponse retract(HttpRequestContext httpRequestContext) {
    return tagged(
        200, bodies.record(names.retract(address(httpRequestContext)), httpRequestContext));
  }

  private RouteResponse restore(HttpRequestContext httpRequestContext) {
    return tagged(
        200, bodies.record(names.restore(address(httpRequestContext)), httpRequestContext));
  }

  static Address address(HttpRequestContext httpRequestContext) {
    return Address.parse(httpRequestContext.path("address"));
  }
}
