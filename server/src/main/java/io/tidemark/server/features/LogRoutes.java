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
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Follower;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.WideNumbers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The transaction log. Callers see what was done to collections that they may read, and the
 * messages beside it; transactions that did nothing of that kind aren't there for them.
 */
final class LogRoutes implements AutoCloseable {

  private static final String ALL = "/v1/transactions";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final Desk desk;
  private final Newcomers newcomers;

  LogRoutes(Desk desk) {
    this.desk = desk;
    this.newcomers = new Newcomers(() -> desk.shared().log());
  }

  List<Route> routes() {
    Need reads = Need.some(Action.READ, Realm.FEATURES);
    return List.of(
        new Route("GET", ALL, reads, this::list),
        new Route("GET", ALL + "/outcome", Need.some(Action.WRITE, Realm.FEATURES), this::outcome),
        new Route("GET", ALL + "/{txn}", reads, this::show),
        new Route("POST", ALL + "/sequence", Need.admin(), this::sequence),
        new Route("GET", "/v1/changes", reads, this::changes));
  }

  private Reply list(Call call) {
    TransactionsRequest request =
        new TransactionsRequest(start(call), call.pageSize(), PageToken.of(call));
    Page<FeatureTransaction> page = desk.of(call).log().list(request);
    return Reply.ok(
        PageToken.page(
            shown(call.caller(), page.items()).stream().map(WireJson::tree).toList(), page.next()));
  }

  private static Start start(Call call) {
    Optional<Start> from = call.query("from").map(text -> new FromTxn(Desk.txn(text)));
    Optional<Start> number = call.number("seq", 1, Long.MAX_VALUE).map(FromNumber::new);
    Optional<Start> message = call.query("message").map(WithMessage::new);
    if ((from.isPresent() ? 1 : 0) + (number.isPresent() ? 1 : 0) + (message.isPresent() ? 1 : 0)
        > 1) {
      throw Call.invalid("from, seq and message exclude one another; give one");
    }
    return from.or(() -> number).or(() -> message).orElseGet(Newest::new);
  }

  private static long position(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw Call.invalid("the cursor is none of this listing's; begin without one");
    }
  }

  private static List<FeatureTransaction> shown(Caller caller, List<FeatureTransaction> found) {
    return found.stream().flatMap(transaction -> shown(caller, transaction).stream()).toList();
  }

  /** Returns what the caller may know of a transaction; empty if that is nothing. */
  private static Optional<FeatureTransaction> shown(Caller caller, FeatureTransaction transaction) {
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
    return caller.may(Action.READ, Realm.FEATURES, collection);
  }

  private Reply show(Call call) {
    long txn = Desk.txn(call.path("txn"));
    return shown(call.caller(), desk.of(call).log().get(txn))
        .map(transaction -> (Reply) Reply.ok(WireJson.tree(transaction)))
        .orElseThrow(
            () ->
                new NotFoundException(
                    "the log has no transaction " + txn + ", or doesn't keep it any more"));
  }

  /** Returns the outcome of a commit whose answer was lost. */
  private Reply outcome(Call call) {
    String id = needed(call, "transaction");
    String began = needed(call, "began");
    return Reply.ok(WireJson.tree(desk.of(call).log().outcome(id, began)));
  }

  private static String needed(Call call, String name) {
    return call.query(name).orElseThrow(() -> Call.invalid("the parameter " + name + " is needed"));
  }

  private Reply sequence(Call call) {
    return Reply.ok(WireJson.tree(desk.of(call).log().sequence()));
  }

  /** Those with a number above one, as soon as there are any; without it, where the log ends. */
  private Reply changes(Call call) {
    FeatureLog log = desk.of(call).log();
    if (ChangeStream.isWanted(call)) {
      return stream(call, log);
    }
    OptionalLong after = after(call);
    int most = call.pageSize();
    Duration wait = wait(call);
    FeatureChanges found = log.changes(after, most);
    if (after.isEmpty() || !found.items().isEmpty() || wait.isZero()) {
      return Reply.ok(
          WireJson.tree(new FeatureChanges(shown(call.caller(), found.items()), found.after())));
    }
    newcomers.requireRoom(call.caller());
    return live(
        Reply.JSON,
        () -> new ChangePoll(call.visitor(), newcomers, found.after(), most, wait, shownTo(call)));
  }

  /** Returns the number after which the caller asks for transactions. */
  private static OptionalLong after(Call call) {
    return call.number("after", 0, Long.MAX_VALUE - 1).stream()
        .mapToLong(Long::longValue)
        .findAny();
  }

  /** Returns that number of a stream, whose client comes back with what it has seen. */
  private static OptionalLong streamedAfter(Call call) {
    return call.header("Last-Event-ID")
        .map(last -> OptionalLong.of(position(last)))
        .orElseGet(() -> after(call));
  }

  private Reply stream(Call call, FeatureLog log) {
    OptionalLong after = streamedAfter(call);
    // What the log doesn't have is a problem, which can't be told once the stream has begun.
    FeatureChanges next = log.changes(after, 1);
    long start = after.orElse(next.after());
    newcomers.requireRoom(call.caller());
    return live(
        ChangeStream.TYPE, () -> new ChangeStream(call.visitor(), newcomers, start, shownTo(call)));
  }

  private static Reply live(String type, Supplier<? extends Follower> follower) {
    return new Reply.Live(200, type, outlet -> follower.get().begin(outlet), Reply.AT_ONCE);
  }

  /** Returns a function for what the caller may know of a transaction, as it wants to have it. */
  private static Function<FeatureTransaction, Optional<? extends JsonNode>> shownTo(Call call) {
    Caller caller = call.caller();
    boolean wide = WideNumbers.asText(call);
    return transaction ->
        shown(caller, transaction)
            .map(WireJson::tree)
            .map(json -> wide ? WideNumbers.asText(json) : json);
  }

  /** How long a caller waits for the next. */
  private static Duration wait(Call call) {
    return call.query("wait").map(LogRoutes::time).orElse(Duration.ZERO);
  }

  /** Reads {@code 500ms} or {@code 30s}. */
  private static Duration time(String text) {
    if (!text.matches("[0-9]{1,6}(ms|s)")) {
      throw Call.invalid("the parameter wait is a time like 500ms or 30s, unlike " + text);
    }
    long number = Long.parseLong(text.replaceAll("[a-z]", ""));
    Duration time = text.endsWith("ms") ? Duration.ofMillis(number) : Duration.ofSeconds(number);
    return time.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : time;
  }

  /** Ends those who wait. */
  @Override
  public void close() {
    newcomers.close();
  }
}
