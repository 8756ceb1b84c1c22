// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.LedgerSummary;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.named.LedgerAdoption;
import io.tidemark.ledger.named.NamedInit;
import io.tidemark.ledger.view.InfoJson;
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
  private final LedgerServices ledgers;
  private final Turnstile queries;

  /**
   * All routes of ledgers.
   *
   * @param ledgers services that do the work
   * @param queries how many questions are answered at once
   */
  public LedgerRoutes(LedgerCache open, LedgerServices ledgers, int queries) {
    this.open = open;
    this.ledgers = ledgers;
    this.queries = new Turnstile(queries);
  }

  public List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.add(new Route("GET", PATH, Need.some(Action.READ, Realm.NAMES), this::list));
    all.add(new Route("POST", PATH, Need.some(Action.WRITE, Realm.NAMES), this::init));
    all.add(new Route("GET", ONE, need(Action.READ), this::info));
    all.addAll(new TypeRoutes(open, ledgers).routes());
    all.addAll(new CommitRoutes(open, ledgers, queries).routes());
    all.addAll(new QueryRoutes(ledgers, queries).routes());
    all.addAll(new SqlRoutes(ledgers, queries).routes());
    all.addAll(new BranchRoutes(open, ledgers, queries).routes());
    all.addAll(new TransferRoutes(open, ledgers).routes());
    all.addAll(new CareRoutes(open).routes());
    return all;
  }

  /** What a route about the ledger in its path needs. */
  static Need need(Action action) {
    return Need.of(action, Realm.NAMES, ADDRESS);
  }

  static Address address(Call call) {
    return Address.parse(call.path(ADDRESS));
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
    Members body = Members.of(call);
    Address address = Address.parse(body.requiredText("ledger"));
    Optional<String> objects = body.text("objects");
    Optional<String> token = body.text("token");
    boolean force = body.flag("force");
    if (force != token.isPresent()) {
      throw Call.invalid("\"force\" and \"token\" go together; \"dryRun\" tells the token");
    }
    boolean existing = body.flag("existing");
    if (existing && (force || body.flag("dryRun"))) {
      throw Call.invalid(
          "\"existing\" changes no ledger, so \"dryRun\" and \"force\" don't go with it");
    }
    Action action = force || existing || objects.isPresent() ? Action.ADMIN : Action.WRITE;
    call.caller().require(action, Realm.NAMES, address.toString());
    if (existing) {
      LedgerAdoption adoption = new LedgerAdoption(open.ledgers(), open.options());
      return created(address, InfoJson.adopted(adoption.adopt(address, objects)));
    }
    try (NamedInit init = new NamedInit(open.ledgers(), address, objects)) {
      if (body.flag("dryRun")) {
        return Reply.ok(InfoJson.plan(address.toString(), init.plan()));
      }
      if (token.isPresent()) {
        open.dismiss(address);
        init.force(token.get());
        open.dismiss(address);
      } else {
        init.init();
      }
      return created(address, InfoJson.made(address.toString(), init.plan().location()));
    }
  }

  private static Reply created(Address address, ObjectNode json) {
    return Reply.json(201, json)
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
