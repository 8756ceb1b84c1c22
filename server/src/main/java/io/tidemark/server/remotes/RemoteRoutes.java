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
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerLocation;
import io.tidemark.client.remotes.HttpRemotes;
import io.tidemark.embed.remotes.EmbeddedRemotes;
import io.tidemark.names.NameService;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.TransferOptions;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.DisconnectPolicy;
import io.tidemark.server.http.RequestForwarder;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
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
 * Routes of remotes. They require the right to administer the server; moving a name also requires
 * the right to read or to write it.
 *
 * <p>In front of another server these are the remotes of that server. It connects to them on behalf
 * of this server, whoever the caller is. So this server checks the rights of callers and the
 * locations as well.
 */
public final class RemoteRoutes {

  private static final String ALL = "/v1/remotes";
  private static final String ONE = ALL + "/{remote}";

  private final NameService names;
  private final Optional<ServerConnection> upstream;
  private final AllowedRemoteLocations places;
  private final TransferOptions transferOptions;

  public RemoteRoutes(
      NameService names,
      Optional<ServerConnection> upstream,
      AllowedRemoteLocations places,
      LedgerSettings ledgers) {
    this.names = names;
    this.upstream = upstream;
    this.places = places;
    this.transferOptions =
        TransferOptions.standard()
            .withOpener(this::open)
            .withAllowedLocations(ledgers.places())
            .withLedgers(ledgers.options());
  }

  /**
   * Opens a location. Checks it again, since another process may have stored it, or the settings
   * may have changed.
   */
  private NameService open(String location) {
    places.require(location);
    return NameService.open(location);
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", ALL, RequiredPermission.admin(), this::list),
        new Route("GET", ONE, RequiredPermission.admin(), this::get),
        new Route("PUT", ONE, RequiredPermission.admin(), this::add),
        new Route("DELETE", ONE, RequiredPermission.admin(), this::remove),
        new Route("POST", ONE + "/fetch", RequiredPermission.admin(), this::fetch),
        new Route("POST", "/v1/push", RequiredPermission.admin(), this::push),
        new Route("POST", "/v1/pull", RequiredPermission.admin(), this::pull),
        new Route("POST", "/v1/clone", RequiredPermission.admin(), this::cloneLedger));
  }

  private RemoteService remotes(HttpRequestContext httpRequestContext) {
    if (upstream.isPresent()) {
      return new HttpRemotes(upstream.get(), RequestForwarder.forwarded(httpRequestContext));
    }
    if (ServerLocation.isServerUrl(names.location())) {
      throw remotesUnavailable(
          "the names are another server's, and so are their remotes; ask that one");
    }
    if (names.objects().isEmpty()) {
      throw remotesUnavailable(
          "the names are in no object store, where remotes are remembered; start the server with"
              + " --objects");
    }
    return new EmbeddedRemotes(names, transferOptions);
  }

  private static ProblemException remotesUnavailable(String why) {
    return new ProblemException(Problem.of(404, "no-remotes", why));
  }

  private static String name(HttpRequestContext httpRequestContext) {
    return new RemoteName(httpRequestContext.path("remote")).text();
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        WireJson.tree(new Page<>(remotes(httpRequestContext).list(), Optional.empty())));
  }

  private RouteResponse get(HttpRequestContext httpRequestContext) {
    return page(remotes(httpRequestContext).get(part(httpRequestContext)));
  }

  private RouteResponse fetch(HttpRequestContext httpRequestContext) {
    RemoteService remotes = remotes(httpRequestContext);
    RemoteRequest part = part(httpRequestContext);
    requirePlace(remotes, remote -> remote.name().equals(part.remote()));
    return page(remotes.fetch(part));
  }

  /** Returns a request for a page, with the maximum page size unless the caller asks for less. */
  private static RemoteRequest part(HttpRequestContext httpRequestContext) {
    int most = httpRequestContext.limits().pageSize();
    int limit = httpRequestContext.number("limit", 1, most).map(Long::intValue).orElse(most);
    return new RemoteRequest(name(httpRequestContext), limit, Pagination.of(httpRequestContext));
  }

  private static RouteResponse page(Object part) {
    ObjectNode json = (ObjectNode) WireJson.tree(part);
    Optional.ofNullable(json.path("next").textValue())
        .ifPresent(next -> json.put("next", Pagination.encode(next)));
    return RouteResponse.ok(json);
  }

  private RouteResponse add(HttpRequestContext httpRequestContext) throws IOException {
    String name = name(httpRequestContext);
    String location = HttpRequestContext.text(httpRequestContext.body(), "location");
    places.require(location);
    return RouteResponse.ok(WireJson.tree(remotes(httpRequestContext).add(name, location)));
  }

  private RouteResponse remove(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        WireJson.tree(remotes(httpRequestContext).remove(name(httpRequestContext))));
  }

  private RouteResponse push(HttpRequestContext httpRequestContext) throws IOException {
    RemoteService remotes = remotes(httpRequestContext);
    TransferRequest request = request(httpRequestContext, remotes, Action.READ);
    return transferred(httpRequestContext, listener -> remotes.transfers().push(request, listener));
  }

  private RouteResponse pull(HttpRequestContext httpRequestContext) throws IOException {
    RemoteService remotes = remotes(httpRequestContext);
    TransferRequest request = request(httpRequestContext, remotes, Action.WRITE);
    return transferred(httpRequestContext, listener -> remotes.transfers().pull(request, listener));
  }

  private TransferRequest request(
      HttpRequestContext httpRequestContext, RemoteService remotes, Action action)
      throws IOException {
    TransferRequest request = httpRequestContext.body(TransferRequest.class);
    Optional<RemoteName> named = request.remote().map(RemoteName::new);
    httpRequestContext.caller().require(action, ResourceType.NAMES, request.local());
    requirePlace(
        remotes,
        remote ->
            named.isPresent()
                ? named.get().text().equals(remote.name())
                : remote.upstreams().stream().anyMatch(it -> it.local().equals(request.local())));
    return request;
  }

  /**
   * Checks the locations of remotes that another server stores. Callers of that server with more
   * rights may have added them.
   */
  private void requirePlace(RemoteService remotes, Predicate<RemoteSummary> wanted) {
    if (upstream.isPresent() && places.places().isPresent()) {
      remotes.list().stream().filter(wanted).map(RemoteSummary::location).forEach(places::require);
    }
  }

  private RouteResponse cloneLedger(HttpRequestContext httpRequestContext) throws IOException {
    CloneRequest request = httpRequestContext.body(CloneRequest.class);
    Optional<RemoteName> unused = request.origin().map(RemoteName::new);
    httpRequestContext
        .caller()
        .require(Action.WRITE, ResourceType.NAMES, request.local().orElseThrow());
    places.require(request.location());
    RemoteService remotes = remotes(httpRequestContext);
    return transferred(
        httpRequestContext, listener -> remotes.transfers().cloneLedger(request, listener));
  }

  /** Answers with the result; callers that accept lines get the progress before it. */
  private RouteResponse transferred(
      HttpRequestContext httpRequestContext,
      Function<Consumer<TransferProgress>, TransferResult> transfer)
      throws IOException {
    if (!ProgressStream.isAccepted(httpRequestContext)) {
      return RouteResponse.ok(WireJson.tree(transfer.apply(now -> {})));
    }
    ProgressStream.Work work =
        progressSink ->
            WireJson.tree(transfer.apply(now -> progressSink.update(WireJson.tree(now))));
    JsonNode first = WireJson.tree(TransferProgress.none());
    return upstream.isPresent()
        ? ProgressStream.begun(httpRequestContext, work)
        : ProgressStream.reply(httpRequestContext, first, DisconnectPolicy.FINISH, work);
  }
}
