// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.remotes.CloneRequest;
import io.tidemark.api.remotes.RemoteRequest;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.api.remotes.RemoteSummary;
import io.tidemark.api.remotes.TransferProgress;
import io.tidemark.api.remotes.TransferRequest;
import io.tidemark.api.remotes.TransferResult;
import io.tidemark.client.Connection;
import io.tidemark.client.ServerLocation;
import io.tidemark.client.remotes.HttpRemotes;
import io.tidemark.embed.remotes.EmbeddedRemotes;
import io.tidemark.names.NameService;
import io.tidemark.remotes.Means;
import io.tidemark.remotes.RemoteName;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Forwarding;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.CallerGone;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Routes of remotes. They take the right of an administrator of the server, and to move a name also
 * the right to read or to write it.
 *
 * <p>Before another server these are its remotes: it goes to them, for this server, whoever the
 * caller is. So what a caller may do, and in which places, is decided here as well.
 */
public final class RemoteRoutes {

  private static final String ALL = "/v1/remotes";
  private static final String ONE = ALL + "/{remote}";

  private final NameService names;
  private final Optional<Connection> upstream;
  private final RemotePlaces places;
  private final Means means;

  public RemoteRoutes(
      NameService names,
      Optional<Connection> upstream,
      RemotePlaces places,
      LedgerSettings ledgers) {
    this.names = names;
    this.upstream = upstream;
    this.places = places;
    this.means =
        Means.standard()
            .withOpener(this::open)
            .within(ledgers.places())
            .withLedgers(ledgers.options());
  }

  /** Also checks locations that others have entered in the store, or that were allowed once. */
  private NameService open(String location) {
    places.require(location);
    return NameService.open(location);
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", ALL, Need.admin(), this::list),
        new Route("GET", ONE, Need.admin(), this::get),
        new Route("PUT", ONE, Need.admin(), this::add),
        new Route("DELETE", ONE, Need.admin(), this::remove),
        new Route("POST", ONE + "/fetch", Need.admin(), this::fetch),
        new Route("POST", "/v1/push", Need.admin(), this::push),
        new Route("POST", "/v1/pull", Need.admin(), this::pull),
        new Route("POST", "/v1/clone", Need.admin(), this::cloneLedger));
  }

  private RemoteService remotes(Call call) {
    if (upstream.isPresent()) {
      return new HttpRemotes(upstream.get(), Forwarding.onward(call));
    }
    if (ServerLocation.isOne(names.location())) {
      throw none("the names are another server's, and so are their remotes; ask that one");
    }
    if (names.objects().isEmpty()) {
      throw none(
          "the names are in no object store, where remotes are remembered; start the server with"
              + " --objects");
    }
    return new EmbeddedRemotes(names, means);
  }

  private static ProblemException none(String why) {
    return new ProblemException(Problem.of(404, "no-remotes", why));
  }

  private static String name(Call call) {
    return new RemoteName(call.path("remote")).text();
  }

  private Reply list(Call call) {
    return Reply.ok(WireJson.tree(new Page<>(remotes(call).list(), Optional.empty())));
  }

  private Reply get(Call call) {
    return page(remotes(call).get(part(call)));
  }

  private Reply fetch(Call call) {
    RemoteService remotes = remotes(call);
    RemoteRequest part = part(call);
    requirePlace(remotes, remote -> remote.name().equals(part.remote()));
    return page(remotes.fetch(part));
  }

  /** Returns a part as long as a page may be, unless the caller wants less. */
  private static RemoteRequest part(Call call) {
    int most = call.limits().pageSize();
    int limit = call.number("limit", 1, most).map(Long::intValue).orElse(most);
    return new RemoteRequest(name(call), limit, PageToken.of(call));
  }

  private static Reply page(Object part) {
    ObjectNode json = (ObjectNode) WireJson.tree(part);
    Optional.ofNullable(json.path("next").textValue())
        .ifPresent(next -> json.put("next", PageToken.encoded(next)));
    return Reply.ok(json);
  }

  private Reply add(Call call) throws IOException {
    String name = name(call);
    String location = Call.text(call.body(), "location");
    places.require(location);
    return Reply.ok(WireJson.tree(remotes(call).add(name, location)));
  }

  private Reply remove(Call call) {
    return Reply.ok(WireJson.tree(remotes(call).remove(name(call))));
  }

  private Reply push(Call call) throws IOException {
    RemoteService remotes = remotes(call);
    TransferRequest request = request(call, remotes, Action.READ);
    return transferred(call, listener -> remotes.transfers().push(request, listener));
  }

  private Reply pull(Call call) throws IOException {
    RemoteService remotes = remotes(call);
    TransferRequest request = request(call, remotes, Action.WRITE);
    return transferred(call, listener -> remotes.transfers().pull(request, listener));
  }

  private TransferRequest request(Call call, RemoteService remotes, Action action)
      throws IOException {
    TransferRequest request = call.body(TransferRequest.class);
    Optional<RemoteName> named = request.remote().map(RemoteName::new);
    call.caller().require(action, Realm.NAMES, request.local());
    requirePlace(
        remotes,
        remote ->
            named.isPresent()
                ? named.get().text().equals(remote.name())
                : remote.upstreams().stream().anyMatch(it -> it.local().equals(request.local())));
    return request;
  }

  /**
   * Refuses places of remotes of another server, which somebody may have entered there who may do
   * more than callers of this one.
   */
  private void requirePlace(RemoteService remotes, Predicate<RemoteSummary> wanted) {
    if (upstream.isPresent() && places.places().isPresent()) {
      remotes.list().stream().filter(wanted).map(RemoteSummary::location).forEach(places::require);
    }
  }

  private Reply cloneLedger(Call call) throws IOException {
    CloneRequest request = call.body(CloneRequest.class);
    Optional<RemoteName> unused = request.origin().map(RemoteName::new);
    call.caller().require(Action.WRITE, Realm.NAMES, request.local().orElseThrow());
    places.require(request.location());
    RemoteService remotes = remotes(call);
    return transferred(call, listener -> remotes.transfers().cloneLedger(request, listener));
  }

  /** Answers with the result; a caller that accepts lines gets the progress before it. */
  private Reply transferred(
      Call call, Function<Consumer<TransferProgress>, TransferResult> transfer) throws IOException {
    if (!ProgressStream.isAccepted(call)) {
      return Reply.ok(WireJson.tree(transfer.apply(now -> {})));
    }
    ProgressStream.Work work =
        lines -> WireJson.tree(transfer.apply(now -> lines.now(WireJson.tree(now))));
    JsonNode first = WireJson.tree(TransferProgress.none());
    return upstream.isPresent()
        ? ProgressStream.begun(call, work)
        : ProgressStream.reply(call, first, CallerGone.FINISH, work);
  }
}
