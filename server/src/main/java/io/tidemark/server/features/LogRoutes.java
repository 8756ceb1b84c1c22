// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Signal;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.model.Txn;
import io.tidemark.features.view.TransactionJson;
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
    this.newcomers = new Newcomers(() -> desk.features().log());
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
    Optional<String> from = call.query("from");
    Optional<Long> number = call.number("seq", 1, Long.MAX_VALUE);
    Optional<String> message = call.query("message");
    if ((from.isPresent() ? 1 : 0) + (number.isPresent() ? 1 : 0) + (message.isPresent() ? 1 : 0)
        > 1) {
      throw Call.invalid("from, seq and message exclude one another; give one");
    }
    Optional<Long> start = PageToken.of(call).map(LogRoutes::position);
    TransactionLog log = desk.features().log();
    int most = call.pageSize();
    if (number.isPresent()) {
      return page(
          call, log.fromNumber(start.orElse(number.get()), most), last -> last.number() + 1);
    }
    if (from.isPresent()) {
      Txn first = start.map(Txn::new).orElseGet(() -> Desk.txn(from.get()));
      return page(call, log.from(first, most), last -> last.txn().value() + 1);
    }
    Txn newest = start.map(Txn::new).orElse(TransactionLog.END);
    List<LoggedTransaction> found =
        message.isPresent()
            ? log.byMessageUpTo(message.get(), newest, most)
            : log.lastUpTo(newest, most);
    return page(call, found, last -> last.txn().value() - 1);
  }

  private static long position(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw Call.invalid("the cursor is none of this listing's; begin without one");
    }
  }

  /** Where the page behind begins. */
  @FunctionalInterface
  private interface Behind {
    long of(LoggedTransaction last);
  }

  private static Reply page(Call call, List<LoggedTransaction> found, Behind behind) {
    Optional<String> next =
        found.size() < call.pageSize()
            ? Optional.empty()
            : Optional.of(Long.toString(behind.of(found.get(found.size() - 1))));
    return Reply.ok(PageToken.page(shown(call.caller(), found), next));
  }

  private static List<ObjectNode> shown(Caller caller, List<LoggedTransaction> found) {
    return found.stream()
        .flatMap(transaction -> shown(caller, transaction).stream())
        .map(TransactionJson::of)
        .toList();
  }

  /** What of a transaction the caller may know; empty when that is nothing. */
  private static Optional<LoggedTransaction> shown(Caller caller, LoggedTransaction transaction) {
    if (caller.may(Action.READ, Realm.FEATURES, "")) {
      return Optional.of(transaction);
    }
    List<Signal> signals =
        transaction.signals().stream()
            .filter(signal -> signal instanceof Signal.Message || may(caller, signal.id()))
            .toList();
    if (signals.stream().allMatch(signal -> signal instanceof Signal.Message)) {
      return Optional.empty();
    }
    return Optional.of(
        new LoggedTransaction(
            transaction.txn(),
            transaction.psqlId(),
            transaction.appId(),
            transaction.author(),
            transaction.ts(),
            transaction.numbered(),
            signals));
  }

  private static boolean may(Caller caller, String collection) {
    return caller.may(Action.READ, Realm.FEATURES, collection);
  }

  private Reply show(Call call) {
    Txn txn = Desk.txn(call.path("txn"));
    return desk.features()
        .log()
        .byTxn(txn)
        .flatMap(transaction -> shown(call.caller(), transaction))
        .map(transaction -> (Reply) Reply.ok(TransactionJson.of(transaction)))
        .orElseThrow(
            () ->
                new NotFoundException(
                    "the log has no transaction " + txn + ", or doesn't keep it any more"));
  }

  /** What became of a commit whose answer was lost. */
  private Reply outcome(Call call) {
    String id = needed(call, "transaction");
    String began = needed(call, "began");
    ObjectNode json = call.json().createObjectNode();
    return Reply.ok(json.put("tookPlace", desk.features().tookPlace(id, began)));
  }

  private static String needed(Call call, String name) {
    return call.query(name).orElseThrow(() -> Call.invalid("the parameter " + name + " is needed"));
  }

  private Reply sequence(Call call) {
    return Reply.ok(TransactionJson.numbered(desk.features().log()));
  }

  /** Those with a number above one, as soon as there are any; without it, where the log ends. */
  private Reply changes(Call call) {
    TransactionLog log = desk.features().log();
    if (ChangeStream.isWanted(call)) {
      return stream(call, streamedAfter(call).orElseGet(log::lastNumber));
    }
    Optional<Long> after = after(call);
    if (after.isEmpty()) {
      return changes(call, List.of(), log.lastNumber());
    }
    int most = call.pageSize();
    Duration wait = wait(call);
    List<LoggedTransaction> found = log.fromNumber(after.get() + 1, most);
    if (!found.isEmpty() || wait.isZero()) {
      long last = found.isEmpty() ? after.get() : found.get(found.size() - 1).number();
      return changes(call, found, last);
    }
    newcomers.requireRoom(call.caller());
    return live(
        Reply.JSON,
        () -> new ChangePoll(call.visitor(), newcomers, after.get(), most, wait, shownTo(call)));
  }

  /** After which number the caller asks for transactions. */
  static Optional<Long> after(Call call) {
    return call.number("after", 0, Long.MAX_VALUE - 1);
  }

  /** The same of a stream, whose client comes back to the same address with what it has seen. */
  static Optional<Long> streamedAfter(Call call) {
    return call.header("Last-Event-ID").map(LogRoutes::position).or(() -> after(call));
  }

  private Reply stream(Call call, long start) {
    // What the log doesn't have is a problem, which can't be told once the stream has begun.
    List<LoggedTransaction> unused = desk.features().log().fromNumber(start + 1, 1);
    newcomers.requireRoom(call.caller());
    return live(
        ChangeStream.TYPE, () -> new ChangeStream(call.visitor(), newcomers, start, shownTo(call)));
  }

  static Reply live(String type, Supplier<? extends Follower> follower) {
    return new Reply.Live(200, type, outlet -> follower.get().begin(outlet), Reply.AT_ONCE);
  }

  /** What the caller may know of a transaction, as it wants to have it. */
  private static Function<LoggedTransaction, Optional<? extends JsonNode>> shownTo(Call call) {
    Caller caller = call.caller();
    boolean wide = WideNumbers.asText(call);
    return transaction ->
        shown(caller, transaction)
            .map(TransactionJson::of)
            .map(json -> wide ? WideNumbers.asText(json) : json);
  }

  private static Reply changes(Call call, List<LoggedTransaction> found, long last) {
    ObjectNode json = call.json().createObjectNode();
    json.putArray("items").addAll(shown(call.caller(), found));
    return Reply.ok(json.put("after", last));
  }

  /** How long a caller waits for the next. */
  static Duration wait(Call call) {
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
