// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Page;
import io.tidemark.api.Streamed;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CommitChanges;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.api.ledger.UnexpectedHeadException;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The commits of a ledger, and making one. */
final class CommitRoutes {

  private static final String COMMITS = LedgerRoutes.ONE + "/commits";

  /** Maximum number of rows of a commit if the caller doesn't say another. */
  private static final long MAX_ROWS = 10_000;

  private final LedgerServices ledgers;
  private final Turnstile queries;

  CommitRoutes(LedgerServices ledgers, Turnstile queries) {
    this.ledgers = ledgers;
    this.queries = queries;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", COMMITS, LedgerRoutes.need(Action.READ), this::list),
        new Route("POST", COMMITS, LedgerRoutes.need(Action.WRITE), this::commit),
        new Route("GET", COMMITS + "/{id}", LedgerRoutes.need(Action.READ), this::show),
        new Route("GET", COMMITS + "/{id}/changes", LedgerRoutes.need(Action.READ), this::changes));
  }

  private static Map<String, String> pairs(Call call) {
    Map<String, String> pairs = new HashMap<>();
    for (String pair : call.queries("meta")) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw Call.invalid("the parameter meta is KEY=VALUE, unlike \"" + pair + "\"");
      }
      pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return pairs;
  }

  /** Returns metadata with the caller as author, in whose name nobody else can write. */
  static Map<String, String> signed(Map<String, String> metadata, Call call) {
    Map<String, String> signed = new HashMap<>(metadata);
    if (call.caller().isKnown()) {
      signed.put("author", call.caller().name());
    }
    return signed;
  }

  /** Returns the metadata of a request whose body is rows: {@code meta=KEY=VALUE}. */
  static Map<String, String> metadata(Call call) {
    return signed(pairs(call), call);
  }

  private Reply list(Call call) {
    CommitsRequest request =
        new CommitsRequest(
            call.number("since", 0, Long.MAX_VALUE).orElse(0L),
            pairs(call),
            call.pageSize(),
            PageToken.of(call));
    LedgerService ledger = ledgers.of(call);
    Page<CommitSummary> page = ledger.commits().list(request);
    return Reply.ok(PageToken.page(page.items().stream().map(WireJson::tree).toList(), page.next()))
        .with("ETag", LedgerRoutes.tag(ledger.commits().head()));
  }

  private static long id(Call call) {
    String text = call.path("id");
    if (!text.matches("[0-9]{1,18}")) {
      throw Call.invalid("\"" + text + "\" is no commit; they are numbers from 1");
    }
    return Long.parseLong(text);
  }

  private Reply show(Call call) {
    return Reply.ok(WireJson.tree(ledgers.of(call).commits().get(id(call))));
  }

  /** A commit may have millions of rows. */
  private Reply changes(Call call) throws IOException {
    Streams.Started<Streamed<CommitChanges, RowChange>> started =
        Streams.start(
            held -> {
              Turnstile.Visit unused = held.add(queries.enter());
              Deadline deadline = held.add(new Deadline(call));
              return ledgers.of(call).until(deadline.cancellation()).commits().changes(id(call));
            });
    Streamed<CommitChanges, RowChange> changes = started.result();
    boolean lines = Streams.wantsLines(call);
    return started.reply(
        call,
        lines ? Streams.LINES : Reply.JSON,
        Map.of(),
        sheet -> {
          if (lines) {
            changes.forEach(sheet::record);
            changes.head().purged().forEach(sheet::record);
          } else {
            sheet.document(changes.head(), "changes", changes::forEach);
          }
        });
  }

  /** Document of rows with all that is said of them. */
  private record Document(
      List<JsonNode> rows,
      Optional<String> type,
      Optional<JsonNode> schema,
      Optional<String> message,
      Map<String, String> metadata,
      OptionalLong expected) {}

  private Reply commit(Call call) throws IOException {
    CommitRequest request = RowBody.isLines(call) ? lines(call) : document(call);
    ExpectedHead expected = ExpectedHead.of(call, request.expected());
    CommitResult result;
    try {
      result = ledgers.of(call).commit(request.withExpected(expected.head()), read -> {});
    } catch (UnexpectedHeadException e) {
      throw expected.problem(e);
    }
    Reply reply =
        Reply.json(result.commit().isPresent() ? 201 : 200, result.json())
            .with("ETag", LedgerRoutes.tag(result.head()));
    return result.commit().isEmpty()
        ? reply
        : reply.with(
            "Location",
            "/v1/ledgers/"
                + LedgerRoutes.address(call).toString().replace("/", "%2F")
                + "/commits/"
                + result.commit().get().commitId());
  }

  private static CommitRequest lines(Call call) throws IOException {
    RowBody body = RowBody.of(call);
    return new CommitRequest(
        body.rows(),
        call.query("type"),
        body.schema(),
        call.query("message"),
        metadata(call),
        LedgerRoutes.number(call, "expected", 0, Long.MAX_VALUE),
        OptionalLong.of(call.number("maxRows", 1, Integer.MAX_VALUE).orElse(MAX_ROWS)));
  }

  private static CommitRequest document(Call call) throws IOException {
    Document body = call.body(Document.class);
    return new CommitRequest(
        RowInput.ofDocuments(body.rows()),
        body.type(),
        body.schema().filter(schema -> !schema.isNull()),
        body.message(),
        signed(body.metadata(), call),
        body.expected(),
        OptionalLong.of(MAX_ROWS));
  }
}
