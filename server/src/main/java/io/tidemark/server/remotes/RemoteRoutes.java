// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.ServerLocation;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.remotes.Means;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.Remotes.Other;
import io.tidemark.remotes.Span;
import io.tidemark.remotes.Upstream;
import io.tidemark.remotes.transfer.CopyProgress;
import io.tidemark.remotes.view.RemotesView;
import io.tidemark.remotes.view.RemotesView.Move;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.CallerGone;
import io.tidemark.server.http.ProgressStream.Lines;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.ledgers.Members;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * The remotes of the names: which there are, and what is fetched, pulled and pushed by the server
 * itself. All of it is for who runs the server, and takes the right to read or to write the name
 * that is moved as well.
 */
public final class RemoteRoutes {

  private static final String ALL = "/v1/remotes";
  private static final String ONE = ALL + "/{remote}";
  static final String FETCH = ONE + "/fetch";
  static final String PUSH = "/v1/push";
  static final String PULL = "/v1/pull";
  static final String CLONE = "/v1/clone";

  private final NameService names;
  private final RemotePlaces places;
  private final Means means;

  public RemoteRoutes(NameService names, RemotePlaces places, LedgerSettings ledgers) {
    this.names = names;
    this.places = places;
    this.means =
        Means.standard()
            .withOpener(this::open)
            .within(ledgers.places())
            .withLedgers(ledgers.options());
  }

  /** Also those are checked that others have entered in the store, or were allowed once. */
  private NameService open(String location) {
    places.require(location);
    return NameService.open(location);
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", ALL, Need.admin(), this::list),
        new Route("GET", ONE, Need.admin(), this::get),
        new Route("PUT", ONE, Need.admin(), this::add),
        new Route("DELETE", ONE, Need.admin(), call -> Reply.ok(view().remove(name(call)))),
        new Route("POST", FETCH, Need.admin(), this::fetch),
        new Route("POST", PUSH, Need.admin(), this::push),
        new Route("POST", PULL, Need.admin(), this::pull),
        new Route("POST", CLONE, Need.admin(), this::cloneLedger));
  }

  private RemotesView view() {
    return view(CopyProgress.untold());
  }

  private RemotesView view(CopyProgress progress) {
    if (ServerLocation.isOne(names.location())) {
      throw none("the names are another server's, and so are their remotes; ask that one");
    }
    if (names.objects().isEmpty()) {
      throw none(
          "the names are in no object store, where remotes are remembered; start the server with"
              + " --objects");
    }
    return new RemotesView(new Remotes(names, means.withProgress(progress)));
  }

  private static ProblemException none(String why) {
    return new ProblemException(Problem.of(404, "no-remotes", why));
  }

  private static RemoteName name(Call call) {
    return new RemoteName(call.path("remote"));
  }

  private Reply list(Call call) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("items", view().list());
    return Reply.ok(json);
  }

  private Reply add(Call call) throws IOException {
    return Reply.ok(view().add(name(call), added(call, places)));
  }

  /** Where a remote is to be, if it may be there. */
  static String added(Call call, RemotePlaces places) throws IOException {
    String location = Members.of(call).requiredText("location");
    places.require(location);
    return location;
  }

  private Reply get(Call call) {
    return page(view().get(name(call), span(call)));
  }

  private Reply fetch(Call call) {
    return page(view().fetch(name(call), span(call)));
  }

  /** Of as many as a page may have unless somebody wants less: most want all there is. */
  private static Span span(Call call) {
    int most = call.limits().pageSize();
    int limit = call.number("limit", 1, most).map(Long::intValue).orElse(most);
    return new Span(PageToken.of(call).map(Address::parse), limit);
  }

  private static Reply page(RemotesView.Page page) {
    page.last()
        .ifPresent(address -> page.json().put("next", PageToken.encoded(address.toString())));
    return Reply.ok(page.json());
  }

  private Reply push(Call call) throws IOException {
    Move move = pushed(call);
    return told(call, view -> view.push(move));
  }

  private Reply pull(Call call) throws IOException {
    Move move = pulled(call);
    return told(call, view -> view.pull(move));
  }

  /** What is to be pushed, by somebody who may read it. */
  static Move pushed(Call call) throws IOException {
    return move(call, Action.READ);
  }

  /** What is to be pulled, by somebody who may write it. */
  static Move pulled(Call call) throws IOException {
    return move(call, Action.WRITE);
  }

  private static Move move(Call call, Action action) throws IOException {
    Members body = Members.of(call);
    Other other =
        new Other(body.text("remote").map(RemoteName::new), body.text("there").map(Address::parse));
    Move move = new Move(Address.parse(body.requiredText("local")), other, body.flag("follow"));
    call.caller().require(action, Realm.NAMES, move.local().toString());
    return move;
  }

  /** A ledger that is to be made here of one elsewhere. */
  record Cloned(Upstream pair, String location) {}

  /** What is to be cloned, by somebody who may write it, from where it may come from. */
  static Cloned cloned(Call call, RemotePlaces places) throws IOException {
    Members body = Members.of(call);
    String location = body.requiredText("location");
    Address there = Address.parse(body.requiredText("there"));
    Address local =
        body.text("local").map(Address::parse).orElse(new Address(there.name(), Address.MAIN));
    Upstream pair =
        new Upstream(
            local, body.text("origin").map(RemoteName::new).orElse(RemoteName.ORIGIN), there);
    call.caller().require(Action.WRITE, Realm.NAMES, local.toString());
    places.require(location);
    return new Cloned(pair, location);
  }

  private Reply cloneLedger(Call call) throws IOException {
    Cloned wanted = cloned(call, places);
    return told(call, view -> view.cloneLedger(wanted.pair(), wanted.location()));
  }

  /** Answers with the outcome; a caller that accepts lines gets the progress before it. */
  private Reply told(Call call, Function<RemotesView, ObjectNode> work) {
    if (!ProgressStream.isAccepted(call)) {
      return Reply.ok(work.apply(view()));
    }
    return ProgressStream.reply(
        call, copied(0, 0, 0), CallerGone.FINISH, lines -> work.apply(view(new CopyLines(lines))));
  }

  private static ObjectNode copied(long commits, long ofCommits, long bytes) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("commits", commits)
        .put("of_commits", ofCommits)
        .put("bytes", bytes);
  }

  /** Progress of a copy, which many threads report; an older report than the last is dropped. */
  private static final class CopyLines implements CopyProgress {
    private final Lines lines;
    private long last;

    CopyLines(Lines lines) {
      this.lines = lines;
    }

    @Override
    public synchronized void at(long commits, long ofCommits, long bytes) {
      if (commits >= last) {
        last = commits;
        lines.now(copied(commits, ofCommits, bytes));
      }
    }
  }
}
