// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.InitRequest;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerSummary;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Routes of ledgers as a whole: listing, creation and status. */
public final class LedgerRoutes {

  static final String ADDRESS = "address";
  private static final String PATH = "/v1/ledgers";

  /** Header with the commit as of which an answer without a head was made. */
  static final String COMMIT = "Tidemark-Commit-Id";

  /** Path of one ledger. */
  static final String ONE = PATH + "/{" + ADDRESS + "}";

  private final LedgerCache open;
  private final LedgerCatalog catalog;
  private final LedgerServiceResolver ledgers;
  private final QueryLimiter queries;

  /**
   * Creates all routes of ledgers.
   *
   * @param catalog creates ledgers
   * @param ledgers services that do the work
   * @param queries limit on concurrent queries
   */
  public LedgerRoutes(
      LedgerCache open, LedgerCatalog catalog, LedgerServiceResolver ledgers, int queries) {
    this.catalog = catalog;
    this.open = open;
    this.ledgers = ledgers;
    this.queries = new QueryLimiter(queries);
  }

  public List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.add(
        new Route(
            "GET", PATH, RequiredPermission.onAny(Action.READ, ResourceType.NAMES), this::list));
    all.add(
        new Route(
            "POST", PATH, RequiredPermission.onAny(Action.WRITE, ResourceType.NAMES), this::init));
    all.add(new Route("GET", ONE, permission(Action.READ), this::info));
    all.addAll(new TypeRoutes(ledgers).routes());
    all.addAll(new CommitRoutes(ledgers, queries).routes());
    all.addAll(new QueryRoutes(ledgers, queries).routes());
    all.addAll(new SqlRoutes(ledgers, queries).routes());
    all.addAll(new LedgerBranchRoutes(ledgers, queries).routes());
    all.addAll(new TransferRoutes(ledgers).routes());
    all.addAll(new MaintenanceRoutes(open, ledgers).routes());
    return all;
  }

  /** Returns the permission for an action on the ledger in the path. */
  static RequiredPermission permission(Action action) {
    return RequiredPermission.of(action, ResourceType.NAMES, ADDRESS);
  }

  static Address address(HttpRequestContext httpRequestContext) {
    return Address.parse(httpRequestContext.path(ADDRESS));
  }

  /** Returns a parameter that is a whole number within bounds; empty if it isn't given. */
  static OptionalLong number(
      HttpRequestContext httpRequestContext, String name, long least, long greatest) {
    return httpRequestContext
        .number(name, least, greatest)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /** Returns the tag of a ledger for conditional writes: its newest commit. */
  static String tag(long head) {
    return "\"" + head + "\"";
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    RecordFilter filter =
        RecordFilter.all()
            .ofKind(RecordKind.LEDGER)
            .startingWith(httpRequestContext.query("prefix").orElse(""));
    Optional<String> after = Pagination.of(httpRequestContext);
    if (after.isPresent()) {
      filter = filter.after(Address.parse(after.get()));
    }
    List<ObjectNode> items = new ArrayList<>();
    Optional<String> next = Optional.empty();
    try (Stream<NameRecord> found = open.names().list(filter)) {
      Iterator<NameRecord> records = found.iterator();
      String last = "";
      while (records.hasNext()) {
        NameRecord record = records.next();
        String name = record.address().toString();
        if (record.meta().retracted()
            || !httpRequestContext.caller().may(Action.READ, ResourceType.NAMES, name)) {
          continue;
        }
        if (items.size() == httpRequestContext.pageSize()) {
          next = Optional.of(last);
          break;
        }
        items.add(listed(record));
        last = name;
      }
    }
    return RouteResponse.ok(Pagination.page(items, next));
  }

  /** Returns what the name record tells of a ledger, without opening the ledger. */
  static ObjectNode listed(NameRecord record) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("ledger", record.address().toString());
    long head = record.commit().t();
    json.put("head_commit_id", head == 0 ? null : head);
    return json;
  }

  /**
   * Creates a ledger. Requires the right to administer the name if the body gives the location of
   * the objects, adopts existing ones or replaces a ledger. A free choice of location would let the
   * server write anywhere, and a replaced ledger loses its content.
   */
  private RouteResponse init(HttpRequestContext httpRequestContext) throws IOException {
    Init body = httpRequestContext.body(Init.class);
    Address address = Address.parse(body.ledger());
    Action action =
        body.force() || body.existing() || body.objects().isPresent() ? Action.ADMIN : Action.WRITE;
    httpRequestContext.caller().require(action, ResourceType.NAMES, address.toString());
    if (body.existing()) {
      return created(address, catalog.adopt(body.ledger(), body.objects()));
    }
    InitRequest request = new InitRequest(body.ledger(), body.objects(), body.token());
    return body.dryRun()
        ? RouteResponse.ok(WireJson.tree(catalog.plan(request)))
        : created(address, catalog.init(request));
  }

  /** Body of a request that creates a ledger. */
  @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
  record Init(
      String ledger,
      Optional<String> objects,
      boolean existing,
      boolean dryRun,
      boolean force,
      Optional<String> token) {
    Init {
      if (force != token.isPresent()) {
        throw new IllegalArgumentException(
            "\"force\" and \"token\" go together; \"dryRun\" tells the token");
      }
      if (existing && (force || dryRun)) {
        throw new IllegalArgumentException(
            "\"existing\" changes no ledger, so \"dryRun\" and \"force\" don't go with it");
      }
    }
  }

  private static RouteResponse created(Address address, Object ledger) {
    return RouteResponse.json(201, WireJson.tree(ledger))
        .with("Location", PATH + "/" + address.toString().replace("/", "%2F"));
  }

  private RouteResponse info(HttpRequestContext httpRequestContext) {
    InfoRequest request =
        new InfoRequest(httpRequestContext.flag("stats"), httpRequestContext.flag("schema"));
    LedgerSummary info;
    if (request.stats()) {
      try (QueryLimiter.Permit unused = queries.acquire();
          QueryTimeout queryTimeout = new QueryTimeout(httpRequestContext)) {
        info =
            ledgers
                .of(httpRequestContext)
                .withCancellation(queryTimeout.cancellation())
                .info(request);
      }
    } else {
      info = ledgers.of(httpRequestContext).info(request);
    }
    return RouteResponse.ok(WireJson.tree(info)).with("ETag", tag(info.headCommitId().orElse(0L)));
  }
}
