// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.TransactionSignal;
import io.tidemark.api.features.TransactionsRequest;
import io.tidemark.api.features.TransactionsRequest.FromNumber;
import io.tidemark.api.features.TransactionsRequest.FromTxn;
import io.tidemark.api.features.TransactionsRequest.Newest;
import io.tidemark.api.features.TransactionsRequest.Start;
import io.tidemark.api.features.TransactionsRequest.WithMessage;
import io.tidemark.names.NotFoundException;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.PushSubscriber;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Routes of the transaction log. Callers see the changes to collections that they may read, and the
 * messages of those transactions. All other transactions are hidden from them.
 */
final class LogRoutes implements AutoCloseable {

  private static final String ALL = "/v1/transactions";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final FeatureRouteSupport featureRouteSupport;
  private final ChangeHub changeHub;

  LogRoutes(FeatureRouteSupport featureRouteSupport) {
    this.featureRouteSupport = featureRouteSupport;
    this.changeHub = new ChangeHub(() -> featureRouteSupport.shared().log());
  }

  List<Route> routes() {
    RequiredPermission reads = RequiredPermission.onAny(Action.READ, ResourceType.FEATURES);
    return List.of(
        new Route("GET", ALL, reads, this::list),
        new Route(
            "GET",
            ALL + "/outcome",
            RequiredPermission.onAny(Action.WRITE, ResourceType.FEATURES),
            this::outcome),
        new Route("GET", ALL + "/{txn}", reads, this::show),
        new Route("POST", ALL + "/sequence", RequiredPermission.admin(), this::sequence),
        new Route("GET", "/v1/changes", reads, this::changes));
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    TransactionsRequest request =
        new TransactionsRequest(
            start(httpRequestContext),
            httpRequestContext.pageSize(),
            Pagination.of(httpRequestContext));
    Page<FeatureTransaction> page = featureRouteSupport.of(httpRequestContext).log().list(request);
    return RouteResponse.ok(
        Pagination.page(
            visible(httpRequestContext.caller(), page.items()).stream()
                .map(WireJson::tree)
                .toList(),
            page.next()));
  }

  private static Start start(HttpRequestContext httpRequestContext) {
    Optional<Start> from =
        httpRequestContext.query("from").map(text -> new FromTxn(FeatureRouteSupport.txn(text)));
    Optional<Start> number =
        httpRequestContext.number("seq", 1, Long.MAX_VALUE).map(FromNumber::new);
    Optional<Start> message = httpRequestContext.query("message").map(WithMessage::new);
    if ((from.isPresent() ? 1 : 0) + (number.isPresent() ? 1 : 0) + (message.isPresent() ? 1 : 0)
        > 1) {
      throw HttpRequestContext.invalid("from, seq and message exclude one another; give one");
    }
    return from.or(() -> number).or(() -> message).orElseGet(Newest::new);
  }

  private static long position(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw HttpRequestContext.invalid("the cursor is none of this listing's; begin without one");
    }
  }

  private static List<FeatureTransaction> visible(Caller caller, List<FeatureTransaction> found) {
    return found.stream().flatMap(transaction -> visible(caller, transaction).stream()).toList();
  }

  /** Returns the part of a transaction that the caller may see; empty if there is none. */
  private static Optional<FeatureTransaction> visible(
      Caller caller, FeatureTransaction transaction) {
    if (may(caller, "")) {
      return Optional.of(transaction);
    }
    List<TransactionSignal> signals =
        transaction.signals().stream()
            .filter(signal -> isMessage(signal) || may(caller, signal.id()))
            .toList();
    return signals.stream().allMatch(LogRoutes::isMessage)
        ? Optional.empty()
        : Optional.of(transaction.withSignals(signals));
  }

  private static boolean isMessage(TransactionSignal signal) {
    return signal instanceof TransactionSignal.Message;
  }

  private static boolean may(Caller caller, String collection) {
    return caller.may(Action.READ, ResourceType.FEATURES, collection);
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    long txn = FeatureRouteSupport.txn(httpRequestContext.path("txn"));
    return visible(
            httpRequestContext.caller(), featureRouteSupport.of(httpRequestContext).log().get(txn))
        .map(transaction -> (RouteResponse) RouteResponse.ok(WireJson.tree(transaction)))
        .orElseThrow(
            () ->
                new NotFoundException(
                    "the log has no transaction " + txn + ", or doesn't keep it any more"));
  }

  /** Returns the outcome of a commit whose answer was lost. */
  private RouteResponse outcome(HttpRequestContext httpRequestContext) {
    String id = requiredParameter(httpRequestContext, "transaction");
    String began = requiredParameter(httpRequestContext, "began");
    return RouteResponse.ok(
        WireJson.tree(featureRouteSupport.of(httpRequestContext).log().outcome(id, began)));
  }

  private static String requiredParameter(HttpRequestContext httpRequestContext, String name) {
    return httpRequestContext
        .query(name)
        .orElseThrow(() -> HttpRequestContext.invalid("the parameter " + name + " is needed"));
  }

  private RouteResponse sequence(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        WireJson.tree(featureRouteSupport.of(httpRequestContext).log().sequence()));
  }

  /**
   * Returns transactions after a number, as soon as there are any; without a number, the end of the
   * log.
   */
  private RouteResponse changes(HttpRequestContext httpRequestContext) {
    FeatureLog log = featureRouteSupport.of(httpRequestContext).log();
    if (ChangeStreamSubscriber.isAccepted(httpRequestContext)) {
      return stream(httpRequestContext, log);
    }
    OptionalLong after = after(httpRequestContext);
    int most = httpRequestContext.pageSize();
    Duration wait = wait(httpRequestContext);
    FeatureChanges found = log.changes(after, most);
    if (after.isEmpty() || !found.items().isEmpty() || wait.isZero()) {
      return RouteResponse.ok(
          WireJson.tree(
              new FeatureChanges(
                  visible(httpRequestContext.caller(), found.items()), found.after())));
    }
    changeHub.requireRoom(httpRequestContext.caller());
    return live(
        RouteResponse.JSON,
        () ->
            new ChangePollSubscriber(
                httpRequestContext.revalidatingCaller(),
                changeHub,
                found.after(),
                most,
                wait,
                visibleTo(httpRequestContext)));
  }

  /** Returns the number after which the caller asks for transactions. */
  private static OptionalLong after(HttpRequestContext httpRequestContext) {
    return httpRequestContext.number("after", 0, Long.MAX_VALUE - 1).stream()
        .mapToLong(Long::longValue)
        .findAny();
  }

  /**
   * Returns the number after which a stream starts: the last id that the client has seen, if it
   * reconnects.
   */
  private static OptionalLong streamedAfter(HttpRequestContext httpRequestContext) {
    return httpRequestContext
        .header("Last-Event-ID")
        .map(last -> OptionalLong.of(position(last)))
        .orElseGet(() -> after(httpRequestContext));
  }

  private RouteResponse stream(HttpRequestContext httpRequestContext, FeatureLog log) {
    OptionalLong after = streamedAfter(httpRequestContext);
    // A position that the log lacks is a problem, which must be reported before the stream begins.
    FeatureChanges next = log.changes(after, 1);
    long start = after.orElse(next.after());
    changeHub.requireRoom(httpRequestContext.caller());
    return live(
        ChangeStreamSubscriber.TYPE,
        () ->
            new ChangeStreamSubscriber(
                httpRequestContext.revalidatingCaller(),
                changeHub,
                start,
                visibleTo(httpRequestContext)));
  }

  private static RouteResponse live(String type, Supplier<? extends PushSubscriber> follower) {
    return new RouteResponse.Push(
        200, type, pushChannel -> follower.get().begin(pushChannel), RouteResponse.AT_ONCE);
  }

  /**
   * Returns a function from a transaction to the part that the caller may see, encoded as
   * requested.
   */
  private static Function<FeatureTransaction, Optional<? extends JsonNode>> visibleTo(
      HttpRequestContext httpRequestContext) {
    Caller caller = httpRequestContext.caller();
    boolean wide = LargeIntegerEncoding.asText(httpRequestContext);
    return transaction ->
        visible(caller, transaction)
            .map(WireJson::tree)
            .map(json -> wide ? LargeIntegerEncoding.asText(json) : json);
  }

  /** Returns how long the caller waits for the next transaction. */
  private static Duration wait(HttpRequestContext httpRequestContext) {
    return httpRequestContext.query("wait").map(LogRoutes::time).orElse(Duration.ZERO);
  }

  /** Parses a duration such as {@code 500ms} or {@code 30s}. */
  private static Duration time(String text) {
    if (!text.matches("[0-9]{1,6}(ms|s)")) {
      throw HttpRequestContext.invalid(
          "the parameter wait is a time like 500ms or 30s, unlike " + text);
    }
    long number = Long.parseLong(text.replaceAll("[a-z]", ""));
    Duration time = text.endsWith("ms") ? Duration.ofMillis(number) : Duration.ofSeconds(number);
    return time.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : time;
  }

  /** Ends the answers that wait for changes. */
  @Override
  public void close() {
    changeHub.close();
  }
}
