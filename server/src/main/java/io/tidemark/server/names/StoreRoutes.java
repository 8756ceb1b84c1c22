// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Edit;
import io.tidemark.names.EditRequest;
import io.tidemark.names.Edited;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Marker;
import io.tidemark.names.Migrated;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.SourceType;
import io.tidemark.names.Survey;
import io.tidemark.names.UnicodeText;
import io.tidemark.names.view.EditJson;
import io.tidemark.names.view.MigratedJson;
import io.tidemark.names.view.RecordJson;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Lane;
import io.tidemark.server.names.RecordBodies.Body;
import io.tidemark.server.problem.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a client needs that has the rules of names itself and takes this server for its store: whole
 * records by compare-and-set, versions of what is stored, the marker of changes, migration.
 */
final class StoreRoutes {

  private static final String RECORD = "/v1/names/{address}/record";
  private static final String LINES = "application/x-ndjson";

  private final NameService names;
  private final RecordBodies bodies;

  StoreRoutes(NameService names, RecordBodies bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  List<Route> routes() {
    return List.of(
        new Route("PUT", RECORD, NameRoutes.WRITE, this::put),
        new Route("DELETE", RECORD, NameRoutes.ADMIN, this::remove),
        new Route("POST", "/v1/names/{address}/edit", NameRoutes.WRITE, this::edit),
        new Route("GET", "/v1/survey", Need.some(Action.READ, Realm.NAMES), this::survey),
        new Route("GET", "/v1/marker", Need.some(Action.READ, Realm.NAMES), this::readMarker)
            .in(Lane.LOOKUP),
        new Route("PUT", "/v1/marker", Need.some(Action.WRITE, Realm.NAMES), this::writeMarker),
        new Route("POST", "/v1/migrate", Need.admin(), this::migrate));
  }

  private Reply put(Call call) throws IOException {
    Address address = NameRoutes.address(call);
    ObjectNode body = call.anyBody();
    Address said = RecordJson.address(body);
    if (!said.equals(address)) {
      throw new InvalidPayloadException(
          "the record is of " + said + ", and can't be put to " + address);
    }
    if (call.header("If-Match").isPresent()) {
      return edit(call, address, seen -> replacing(call, seen, RecordJson.record(body, seen)));
    }
    NameRecord next = RecordJson.record(body);
    ConcernRoutes.requireAny(call);
    check(next, Optional.empty());
    StatusRights.requireLocks(call.caller(), Optional.empty(), next);
    return create(call, next);
  }

  private Reply create(Call call, NameRecord next) {
    Address address = next.address();
    if (names.backend().create(next)) {
      return NameRoutes.tagged(201, bodies.record(next, call));
    }
    JsonNode actual =
        names
            .find(address)
            .<JsonNode>map(record -> bodies.record(record, call).json())
            .orElseGet(JsonNodeFactory.instance::nullNode);
    return Conflicts.of(call, Conflicts.IN_HEADER, "record " + address, actual);
  }

  private Edit replacing(Call call, NameRecord seen, NameRecord next) {
    check(next, Optional.of(seen));
    StatusRights.requireLocks(call.caller(), Optional.of(seen), next);
    return Edit.replace(seen, next);
  }

  /** What is new in a record has to be what a push could bring there. */
  private void check(NameRecord next, Optional<NameRecord> seen) {
    boolean sameTexts = seen.filter(record -> texts(record).equals(texts(next))).isPresent();
    if (!sameTexts && !texts(next).stream().allMatch(UnicodeText::isWhole)) {
      throw new InvalidPayloadException(
          "the record " + next.address() + " has " + UnicodeText.PROBLEM);
    }
    for (Concern concern : RecordJson.concernsOf(next.meta().kind())) {
      boolean isNew =
          seen.map(record -> !record.concern(concern).equals(next.concern(concern))).orElse(true);
      if (isNew && next.concern(concern).payload().isPresent()) {
        Optional<ConcernValue> known = seen.map(record -> record.concern(concern));
        names.check(next.address(), concern, known, next.concern(concern));
      }
    }
  }

  private static List<String> texts(NameRecord record) {
    List<String> texts = new ArrayList<>(record.meta().dependencies());
    record.meta().sourceType().map(SourceType::value).ifPresent(texts::add);
    record.meta().sourceBranch().ifPresent(texts::add);
    return texts;
  }

  /** Who removes a record writes others next, and mustn't be refused half way. */
  private Reply remove(Call call) {
    Address address = NameRoutes.address(call);
    call.caller().require(Action.WRITE, Realm.NAMES, address.toString());
    return edit(call, address, seen -> Edit.remove());
  }

  /** Carries out what a client has decided about a record, if the record is what it has seen. */
  private Reply edit(Call call, Address address, RecordEdit decided) {
    String tag =
        call.header("If-Match")
            .orElseThrow(() -> Call.invalid("say by If-Match which state of the record is meant"));
    Optional<Edited> edited =
        names
            .backend()
            .edit(address, seen -> isMeant(call, seen, tag) ? decided.decide(seen) : Edit.keep());
    if (edited.isEmpty()) {
      return Conflicts.notFound(address);
    }
    return isMeant(call, edited.get().before(), tag)
        ? done(call, edited.get())
        : tooLate(call, address);
  }

  /** Carries out an edit that is decided here, with the record as it is. */
  private Reply edit(Call call) throws IOException {
    Address address = NameRoutes.address(call);
    EditRequest request = EditJson.read(call.anyBody());
    if (removes(request)) {
      call.caller().require(Action.ADMIN, Realm.NAMES, address.toString());
    }
    Optional<Edited> edited = names.edit(address, request);
    if (edited.isEmpty()) {
      return Conflicts.notFound(address);
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("before", bodies.record(edited.get().before(), call).json());
    json.set(
        "after",
        edited
            .get()
            .after()
            .<JsonNode>map(record -> bodies.record(record, call).json())
            .orElseGet(JsonNodeFactory.instance::nullNode));
    return Reply.ok(json);
  }

  private static boolean removes(EditRequest request) {
    return request instanceof EditRequest.Purge
        || request instanceof EditRequest.Sweep
        || request instanceof EditRequest.Undo;
  }

  private Reply done(Call call, Edited edited) {
    Optional<String> now = edited.after().map(record -> bodies.record(record, call).tag());
    return new Reply.Empty(204, now.map(tag -> Map.of("ETag", tag)).orElse(Map.of()));
  }

  private boolean isMeant(Call call, NameRecord seen, String tag) {
    return Tags.matches(tag, bodies.record(seen, call).tag());
  }

  private Reply tooLate(Call call, Address address) {
    Optional<NameRecord> actual = names.find(address);
    if (actual.isEmpty()) {
      return Conflicts.notFound(address);
    }
    Body shown = bodies.record(actual.get(), call);
    return Conflicts.of(call, Conflicts.IN_HEADER, "record " + address, shown.json())
        .with("ETag", shown.tag());
  }

  private Reply survey(Call call) {
    Survey survey = names.survey(call.query("prefix").orElse(""), PageToken.of(call));
    List<JsonNode> items = new ArrayList<>();
    for (Survey.Sighting sighting : survey.seen()) {
      if (call.caller().may(Action.READ, Realm.NAMES, sighting.address().toString())) {
        items.add(
            JsonNodeFactory.instance
                .objectNode()
                .put("address", sighting.address().toString())
                .put("part", sighting.part())
                .put("version", sighting.version()));
      }
    }
    return Reply.ok(PageToken.page(items, survey.next()));
  }

  /** It names records, so only who may see all of them reads it; others find out by surveys. */
  private Reply readMarker(Call call) {
    if (!call.caller().may(Action.READ, Realm.NAMES, "")) {
      return Reply.empty(204);
    }
    Marker.Reading reading = names.marker().read(call.header("If-None-Match").map(Tags::text));
    if (reading instanceof Marker.Says says) {
      ObjectNode json = JsonNodeFactory.instance.objectNode().put("text", says.text());
      return Reply.ok(json).with("ETag", Tags.ofText(says.version()));
    }
    return Reply.empty(reading == Marker.Unchanged.UNCHANGED ? 304 : 204);
  }

  /** Body of a request that writes the marker. */
  record MarkerText(String text) {}

  private Reply writeMarker(Call call) throws IOException {
    call.caller().require(Action.WRITE, Realm.NAMES, "");
    String text = call.body(MarkerText.class).text;
    Optional<String> known = call.header("If-Match").map(Tags::text);
    if (known.isEmpty()) {
      ConcernRoutes.requireAny(call);
    }
    return names
        .marker()
        .write(known, text)
        .<Reply>map(version -> new Reply.Empty(204, Map.of("ETag", Tags.ofText(version))))
        .orElseGet(
            () ->
                Reply.problem(
                    Problem.of(412, "conflict", "another has written the marker; read it again")));
  }

  /** A line for each thing that was converted, or would be; the last says that it is the last. */
  private Reply migrate(Call call) {
    MigrationMode mode = call.flag("apply") ? MigrationMode.APPLY : MigrationMode.DRY_RUN;
    return new Reply.Streamed(200, LINES, out -> migrate(mode, call.id(), out), Map.of());
  }

  private void migrate(MigrationMode mode, String id, OutputStream out) throws IOException {
    ObjectNode last = JsonNodeFactory.instance.objectNode().put("end", true);
    try (Stream<Migrated> lines = names.migrate(mode)) {
      for (Iterator<Migrated> each = lines.iterator(); each.hasNext(); ) {
        write(MigratedJson.of(each.next()), out);
      }
    } catch (TidemarkException e) {
      last.set("problem", Problem.of(e).json(id));
    }
    write(last, out);
  }

  private static void write(ObjectNode line, OutputStream out) throws IOException {
    out.write(UnicodeText.bytes(line));
    out.write('\n');
    out.flush();
  }
}
