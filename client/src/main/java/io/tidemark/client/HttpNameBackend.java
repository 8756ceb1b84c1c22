// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Edited;
import io.tidemark.names.Marker;
import io.tidemark.names.Migrated;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.Survey;
import io.tidemark.names.view.RecordJson;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The names that a Tidemark server has. One request a look-up, a change, or an edit that can be
 * sent as data; two for any other edit that nobody gets in the way of.
 *
 * <p>What becomes of lost answers is explained at {@link Writes}, how an edit ends among others at
 * {@link Edits}. The server tells others what moved, so this doesn't.
 */
public final class HttpNameBackend implements NameBackend, NameStore {

  /** What no object starts with, so that a listing of it is short. */
  private static final String NOWHERE = "tidemark-has-no-such-objects/";

  private final Connection connection;
  private final Reads reads;
  private final Writes writes;
  private final Edits edits;

  /** Whether the server has objects, and then those; empty as long as it wasn't asked. */
  private volatile Optional<Optional<ObjectStore>> objects = Optional.empty();

  /** The names of a server; no request is sent yet. */
  public HttpNameBackend(Connection connection) {
    this(connection, patience());
  }

  /**
   * The same.
   *
   * @param retry how long to go on asking a server that doesn't answer
   */
  public HttpNameBackend(Connection connection, Retry retry) {
    this.connection = connection;
    this.reads = new Reads(connection, retry);
    this.writes = new Writes(connection, retry);
    this.edits = new Edits(reads, writes);
  }

  /** Long enough for a server that is restarted, short enough for who has mistyped its address. */
  static Retry patience() {
    return new Retry(
        Duration.ofSeconds(5),
        Duration.ofMillis(20),
        Duration.ofSeconds(1),
        MonotonicTime.system());
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    Answer answer = reads.get(record(address));
    return isMissing(answer)
        ? Optional.empty()
        : Optional.of(RecordJson.record(answer.orThrow().json()));
  }

  static Request record(Address address) {
    return exact(Request.get("v1", "names", address.toString()));
  }

  static Request at(String method, Address address, String part) {
    return exact(Request.of(method, "v1", "names", address.toString(), part));
  }

  /** Payloads come back as they were written. */
  private static Request exact(Request request) {
    return request.query("exact", "true");
  }

  /** Of all that isn't there only a missing record is an answer. */
  static boolean isMissing(Answer answer) {
    return answer.status() == 404 && answer.code().equals("not-found");
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    Answer answer = reads.get(at("GET", address, concern.word()));
    return isMissing(answer)
        ? Optional.empty()
        : Optional.of(RecordJson.value(answer.orThrow().json(), concern.word()));
  }

  @Override
  public boolean create(NameRecord record) {
    Answer answer =
        writes.send(
            at("PUT", record.address(), "record")
                .json(RecordJson.sent(record))
                .header("If-None-Match", "*"),
            () -> find(record.address()).isEmpty());
    if (answer.status() == 412) {
      return false;
    }
    return answer.orThrow().isSuccess();
  }

  @Override
  public Outcome change(Address address, Change change) {
    Concern concern = change.concern();
    Answer answer =
        writes.send(
            request(address, change),
            () ->
                isMadeOnceAtMost(change)
                    && get(address, concern).filter(change::allows).isPresent());
    if (answer.isSuccess()) {
      return new Applied(change.next());
    }
    return switch (answer.code()) {
      case "conflict" -> refused(answer, concern);
      case "not-found" -> Missing.MISSING;
      case "retracted" -> Retracted.RETRACTED;
      default -> throw answer.failure();
    };
  }

  private static Request request(Address address, Change change) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("next", RecordJson.sent(change.next()));
    String concern = change.concern().word();
    if (change instanceof Change.Advance advance) {
      body.put("bound", advance.bound().name().toLowerCase(Locale.ROOT));
      return exact(Request.of("POST", "v1", "names", address.toString(), concern, "advance"))
          .json(body);
    }
    body.set("expected", RecordJson.sent(((Change.Push) change).expected()));
    return at("PUT", address, concern).json(body);
  }

  /** Whether the change isn't allowed any more once it was made, whatever others do then. */
  private static boolean isMadeOnceAtMost(Change change) {
    return change instanceof Change.Push push
        ? push.next().watermark() > push.expected().watermark()
        : !change.allows(change.next());
  }

  private static Outcome refused(Answer answer, Concern concern) {
    JsonNode actual = answer.json().path("actual");
    return actual.isNull()
        ? Missing.MISSING
        : new Refused(RecordJson.value(actual, concern.word()));
  }

  @Override
  public Optional<Edited> edit(Address address, RecordEdit edit) {
    return edits.edit(address, edit);
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    Request listing =
        exact(Request.get("v1", "names")).query("prefix", prefix).query("after", startAfter);
    return Pages.of(reads, listing).map(RecordJson::record);
  }

  @Override
  public Stream<NameRecord> branchesOf(Address source) {
    return Pages.of(reads, at("GET", source, "children")).map(RecordJson::record);
  }

  @Override
  public NameStore store() {
    return this;
  }

  @Override
  public Survey survey(String prefix, Optional<String> page) {
    Request request = Request.get("v1", "survey").query("prefix", prefix);
    JsonNode json =
        reads.get(page.map(p -> request.query("cursor", p)).orElse(request)).orThrow().json();
    List<Survey.Sighting> seen = new ArrayList<>();
    for (JsonNode item : json.path("items")) {
      seen.add(
          new Survey.Sighting(
              Address.parse(item.path("address").asText()),
              item.path("part").asText(),
              item.path("version").asText()));
    }
    JsonNode next = json.path("next");
    return new Survey(seen, next.isTextual() ? Optional.of(next.textValue()) : Optional.empty());
  }

  @Override
  public Marker marker() {
    return new HttpMarker(reads, writes);
  }

  @Override
  public Stream<Migrated> migrate(MigrationMode mode) {
    return Migration.run(connection, mode);
  }

  /** Known after one request, unless the server can't be asked; then it is asked again. */
  @Override
  public Optional<ObjectStore> objects() {
    Optional<Optional<ObjectStore>> known = objects;
    if (known.isEmpty()) {
      Answer answer =
          reads.get(Request.get("v1", "objects").query("prefix", NOWHERE).query("limit", "1"));
      known =
          Optional.of(
              answer.code().equals("no-objects")
                  ? Optional.empty()
                  : Optional.of(
                      new ObjectStore(new HttpObjectBackend(connection), Retry.standard())));
      objects = known;
    }
    return known.get();
  }

  @Override
  public String location() {
    return connection.toString();
  }

  @Override
  public void close() {
    // The connections are those of the process.
  }
}
