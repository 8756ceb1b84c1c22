// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Page;
import io.tidemark.api.Streamed;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CommitChanges;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.BatchSizeExceededException;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Intake;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.JsonFacts;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.transfer.JsonRecords;
import io.tidemark.ledger.transfer.TextRecord;
import io.tidemark.ledger.view.CommitJson;
import io.tidemark.names.Address;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The commits of a ledger, and making one. */
final class CommitRoutes {

  private static final String COMMITS = LedgerRoutes.ONE + "/commits";

  private final LedgerCache open;
  private final LedgerServices ledgers;
  private final Turnstile queries;

  CommitRoutes(LedgerCache open, LedgerServices ledgers, Turnstile queries) {
    this.open = open;
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

  /** What a commit says of itself: what the body has, and who made it if that is known. */
  static Map<String, String> metadata(Members body, Call call) {
    Map<String, String> metadata = new HashMap<>(body.textMap("metadata"));
    return signed(metadata, call);
  }

  /** The same of a request whose body is rows alone: {@code meta=K=V}, and a message. */
  static Map<String, String> metadata(Call call) {
    Map<String, String> metadata = new HashMap<>(pairs(call));
    call.query("message").ifPresent(text -> metadata.put("message", text));
    return signed(metadata, call);
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

  /** Nobody else can write in somebody's name. */
  private static Map<String, String> signed(Map<String, String> metadata, Call call) {
    if (call.caller().isKnown()) {
      metadata.put("author", call.caller().name());
    }
    return metadata;
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

  /**
   * What is to be committed.
   *
   * @param rows those of a body that is a document
   * @param lines a body that is nothing but rows
   */
  private record Given(
      List<JsonNode> rows,
      Optional<InputStream> lines,
      Optional<String> type,
      List<TypeSchema> declared,
      Map<String, String> metadata,
      ExpectedHead terms) {}

  private Reply commit(Call call) throws IOException {
    Given given = given(call);
    Address address = LedgerRoutes.address(call);
    try (LedgerCache.LedgerHandle lent = open.lend(address)) {
      Optional<Commit> commit = commit(lent.ledger(), given, call.limits().recordLength());
      given.terms.require();
      Reply reply =
          Reply.json(commit.isPresent() ? 201 : 200, CommitJson.outcome(commit))
              .with(
                  "ETag",
                  LedgerRoutes.tag(
                      commit.map(Commit::id).or(() -> lent.ledger().log().head()).orElse(0L)));
      return commit.isEmpty()
          ? reply
          : reply.with(
              "Location",
              "/v1/ledgers/"
                  + address.toString().replace("/", "%2F")
                  + "/commits/"
                  + commit.get().id());
    }
  }

  private static Given given(Call call) throws IOException {
    boolean lines =
        call.header("Content-Type").filter(type -> type.startsWith(Streams.LINES)).isPresent();
    if (lines) {
      return new Given(
          List.of(),
          Optional.of(call.stream()),
          call.query("type"),
          List.of(),
          metadata(call),
          ExpectedHead.of(call, call.number("expected", 0, Long.MAX_VALUE)));
    }
    Members body = Members.of(call);
    Map<String, String> metadata = new HashMap<>(metadata(body, call));
    body.text("message").ifPresent(text -> metadata.put("message", text));
    return new Given(
        body.list("rows"),
        Optional.empty(),
        body.text("type"),
        TypeRoutes.declared(body, "schema"),
        metadata,
        ExpectedHead.of(call, body.number("expected", 0, Long.MAX_VALUE)));
  }

  private Optional<Commit> commit(Ledger ledger, Given given, int longest) {
    Map<TypeId, TypeSchema> types = new TreeMap<>();
    ledger
        .schemas()
        .current()
        .forEach((id, version) -> types.put(id, StoredSchema.parse(version.schemaJson()).schema()));
    given.declared.forEach(declared -> types.put(declared.id(), declared));
    try (Session session = ledger.session(types.values())) {
      read(session, given, types, longest);
      if (session.queued() == 0) {
        given.terms.look(ledger.log().head().orElse(0L));
        return Optional.empty();
      }
      return session.commit(given.metadata, given.terms);
    }
  }

  private void read(Session session, Given given, Map<TypeId, TypeSchema> types, int longest) {
    JsonFacts facts = JsonFacts.of(session.checks());
    Optional<TypeId> type = given.type.map(name -> TypeRoutes.resolve(name, types.keySet()));
    if (given.lines.isPresent()) {
      Function<String, Fact> parser =
          type.<Function<String, Fact>>map(id -> json -> facts.parse(json, id))
              .orElse(facts::parse);
      try (Intake<TextRecord> intake = session.intake(record -> record.read(parser))) {
        int[] count = {0};
        JsonRecords.read(
            given.lines.get(),
            "the body",
            longest,
            record -> {
              requireRoom(++count[0], "the body"); // what is more needn't be read
              intake.add(record, record.length());
            });
        intake.finish();
      }
      return;
    }
    Function<JsonNode, Fact> parser =
        type.<Function<JsonNode, Fact>>map(id -> row -> facts.parse(row, id)).orElse(facts::parse);
    try (Intake<Integer> intake =
        session.intake(i -> TextRecord.placed(given.rows.get(i), parser, "rows", i + 1))) {
      for (int i = 0; i < given.rows.size(); i++) {
        requireRoom(i + 1, "rows");
        intake.add(i, 0);
      }
      intake.finish();
    }
  }

  private void requireRoom(int count, String name) {
    int most = open.options().maxBatchSize();
    if (count > most) {
      throw new BatchSizeExceededException(
          name, most, "send fewer rows, or send them to the route import");
    }
  }
}
