// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.ledger.BatchSizeExceededException;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Intake;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.JsonFacts;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.ledger.transfer.JsonRecords;
import io.tidemark.ledger.transfer.TextRecord;
import io.tidemark.ledger.view.CommitJson;
import io.tidemark.ledger.view.RowJson;
import io.tidemark.ledger.view.TypeJson;
import io.tidemark.names.Address;
import io.tidemark.server.access.Action;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The commits of a ledger, and making one. */
final class CommitRoutes {

  private static final String COMMITS = LedgerRoutes.ONE + "/commits";

  /** Who looks for metadata gets a page after so many commits, with what there is of it. */
  private static final int LOOKED_AT = 10_000;

  private final LedgerCache open;
  private final Turnstile queries;

  CommitRoutes(LedgerCache open, Turnstile queries) {
    this.open = open;
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
    long since = call.number("since", 0, Long.MAX_VALUE).orElse(0L);
    Optional<Long> before = PageToken.of(call).map(CommitRoutes::cursor);
    Map<String, String> wanted = pairs(call);
    int size = call.pageSize();
    return open.with(
        LedgerRoutes.address(call),
        ledger -> {
          long head = ledger.log().head().orElse(0L);
          long next = before.map(id -> Math.min(id - 1, head)).orElse(head);
          long last = Math.max(since, next - (wanted.isEmpty() ? size : LOOKED_AT));
          List<ObjectNode> found = new ArrayList<>();
          while (next > last && found.size() < size) {
            int step = (int) Math.min(size, next - last);
            List<Commit> commits = ledger.log().after(next - step, step);
            if (commits.isEmpty()) {
              break; // the ledger was begun anew meanwhile
            }
            for (int i = commits.size() - 1; i >= 0 && found.size() < size; i--) {
              Commit commit = commits.get(i);
              next = commit.id() - 1;
              if (isMeant(commit, wanted)) {
                found.add(CommitJson.commit(commit));
              }
            }
          }
          Optional<String> cursor =
              next > since ? Optional.of(Long.toString(next + 1)) : Optional.empty();
          return Reply.ok(PageToken.page(found, cursor)).with("ETag", LedgerRoutes.tag(head));
        });
  }

  private static long cursor(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw Call.invalid("the cursor is none of this listing; begin without one");
    }
    return Long.parseLong(text);
  }

  private static boolean isMeant(Commit commit, Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(
            each ->
                commit.metadata().has(each.getKey())
                    && commit.metadata().path(each.getKey()).asText().equals(each.getValue()));
  }

  private static Commit find(Ledger ledger, Call call) {
    String text = call.path("id");
    long id = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    return ledger
        .log()
        .get(id)
        .orElseThrow(
            () ->
                id < 0
                    ? Call.invalid("\"" + text + "\" is no commit; they are numbers from 1")
                    : new UnknownCommitException(id, ledger.log().head().orElse(0L)));
  }

  private Reply show(Call call) {
    return open.with(
        LedgerRoutes.address(call), ledger -> Reply.ok(CommitJson.commit(find(ledger, call))));
  }

  /** A commit may have millions of rows. */
  private Reply changes(Call call) throws IOException {
    boolean lines = Streams.wantsLines(call);
    return Streams.streamed(
        call,
        lines ? Streams.LINES : Reply.JSON,
        Map.of(),
        held -> {
          Turnstile.Visit unused = held.add(queries.enter());
          Stop stop = held.add(new Deadline(call)).stop();
          Ledger ledger = held.add(open.lend(LedgerRoutes.address(call))).ledger();
          Commit commit = find(ledger, call);
          Consumer<Consumer<JsonNode>> changes =
              out -> {
                boolean there =
                    ledger
                        .log()
                        .changes(
                            commit.id(),
                            each -> {
                              stop.check();
                              out.accept(RowJson.change(each));
                            });
                assert there;
              };
          return sheet -> {
            if (lines) {
              changes.accept(sheet::line);
              TypeJson.purged(ledger.log().purged(commit.id())).forEach(sheet::line);
            } else {
              SortedMap<TypeId, Long> purged = ledger.log().purged(commit.id());
              sheet.document(CommitJson.changes(commit, purged), "changes", changes);
            }
          };
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
