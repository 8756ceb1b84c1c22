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
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordFilter;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Ledgers as a whole: which there are, making one, how one is. */
public final class LedgerRoutes {

  static final String ADDRESS = "address";
  private static final String PATH = "/v1/ledgers";

  /** Header with the commit that an answer without a head is as of. */
  static final String COMMIT = "Tidemark-Commit-Id";

  /** The path of one ledger. */
  static final String ONE = PATH + "/{" + ADDRESS + "}";

  private final LedgerCache open;
  private final LedgerCatalog catalog;
  private final LedgerServices ledgers;
  private final Turnstile queries;

  /**
   * All routes of ledgers.
   *
   * @param catalog makes ledgers
   * @param ledgers services that do the work
   * @param queries how many questions are answered at once
   */
  public LedgerRoutes(
      LedgerCache open, LedgerCatalog catalog, LedgerServices ledgers, int queries) {
    this.catalog = catalog;
    this.open = open;
    this.ledgers = ledgers;
    this.queries = new Turnstile(queries);
  }

  public List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.add(new Route("GET", PATH, Need.some(Action.READ, Realm.NAMES), this::list));
    all.add(new Route("POST", PATH, Need.some(Action.WRITE, Realm.NAMES), this::init));
    all.add(new Route("GET", ONE, need(Action.READ), this::info));
    all.addAll(new TypeRoutes(ledgers).routes());
    all.addAll(new CommitRoutes(ledgers, queries).routes());
    all.addAll(new QueryRoutes(ledgers, queries).routes());
    all.addAll(new SqlRoutes(ledgers, queries).routes());
    all.addAll(new BranchRoutes(ledgers, queries).routes());
    all.addAll(new TransferRoutes(ledgers).routes());
    all.addAll(new CareRoutes(open, ledgers).routes());
    return all;
  }

  /** What a route about the ledger in its path needs. */
  static Need need(Action action) {
    return Need.of(action, Realm.NAMES, ADDRESS);
  }

  static Address address(Call call) {
    return Address.parse(call.path(ADDRESS));
  }

  /** Returns a parameter that is a whole number within bounds; empty if it isn't given. */
  static OptionalLong number(Call call, String name, long least, long greatest) {
    return call.number(name, least, greatest).map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  /** The version of a ledger, by which writes are made conditional: its newest commit. */
  static String tag(long head) {
    return "\"" + head + "\"";
  }

  private Reply list(Call call) {
    RecordFilter filter =
        RecordFilter.all().ofKind(Kind.LEDGER).startingWith(call.query("prefix").orElse(""));
    Optional<String> after = PageToken.of(call);
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
        if (record.meta().retracted() || !call.caller().may(Action.READ, Realm.NAMES, name)) {
          continue;
        }
        if (items.size() == call.pageSize()) {
          next = Optional.of(last);
          break;
        }
        items.add(listed(record));
        last = name;
      }
    }
    return Reply.ok(PageToken.page(items, next));
  }

  /** What the name says of a ledger, which isn't opened for it. */
  static ObjectNode listed(NameRecord record) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("ledger", record.address().toString());
    long head = record.commit().t();
    json.put("head_commit_id", head == 0 ? null : head);
    return json;
  }

  /**
   * Makes a ledger. Whoever says where its objects are can have the server write anywhere, and
   * whoever begins anew loses what was there: both take more than the right to write.
   */
  private Reply init(Call call) throws IOException {
    Init body = call.body(Init.class);
    Address address = Address.parse(body.ledger());
    Action action =
        body.force() || body.existing() || body.objects().isPresent() ? Action.ADMIN : Action.WRITE;
    call.caller().require(action, Realm.NAMES, address.toString());
    if (body.existing()) {
      return created(address, catalog.adopt(body.ledger(), body.objects()));
    }
    InitRequest request = new InitRequest(body.ledger(), body.objects(), body.token());
    return body.dryRun()
        ? Reply.ok(WireJson.tree(catalog.plan(request)))
        : created(address, catalog.init(request));
  }

  /** Body of a request for a ledger. */
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

  private static Reply created(Address address, Object ledger) {
    return Reply.json(201, WireJson.tree(ledger))
        .with("Location", PATH + "/" + address.toString().replace("/", "%2F"));
  }

  private Reply info(Call call) {
    InfoRequest request = new InfoRequest(call.flag("stats"), call.flag("schema"));
    LedgerSummary info;
    if (request.stats()) {
      try (Turnstile.Visit unused = queries.enter();
          Deadline deadline = new Deadline(call)) {
        info = ledgers.of(call).until(deadline.cancellation()).info(request);
      }
    } else {
      info = ledgers.of(call).info(request);
    }
    return Reply.ok(WireJson.tree(info)).with("ETag", tag(info.headCommitId().orElse(0L)));
  }
}
