// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.ChangeMarker;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditRequest;
import io.tidemark.names.EditResult;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.SourceType;
import io.tidemark.names.UnicodeText;
import io.tidemark.names.VersionPage;
import io.tidemark.names.view.EditJson;
import io.tidemark.names.view.MigrationEntryJson;
import io.tidemark.names.view.RecordJson;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.names.RecordRenderer.Body;
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
 * Routes for clients that implement the rules of names themselves and use this server as a store:
 * whole records by compare-and-set, versions, the change marker and migration.
 */
final class StoreRoutes {

  private static final String RECORD = "/v1/names/{address}/record";
  private static final String LINES = "application/x-ndjson";

  private final NameService names;
  private final RecordRenderer bodies;

  StoreRoutes(NameService names, RecordRenderer bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  List<Route> routes() {
    return List.of(
        new Route("PUT", RECORD, NameRoutes.WRITE, this::put),
        new Route("DELETE", RECORD, NameRoutes.ADMIN, this::remove),
        new Route("POST", "/v1/names/{address}/edit", NameRoutes.WRITE, this::edit),
        new Route(
            "GET",
            "/v1/survey",
            RequiredPermission.onAny(Action.READ, ResourceType.NAMES),
            this::survey),
        new Route(
                "GET",
                "/v1/marker",
                RequiredPermission.onAny(Action.READ, ResourceType.NAMES),
                this::readMarker)
            .withDispatchClass(DispatchClass.LOOKUP),
        new Route(
            "PUT",
            "/v1/marker",
            RequiredPermission.onAny(Action.WRITE, ResourceType.NAMES),
            this::writeMarker),
        new Route("POST", "/v1/migrate", RequiredPermission.admin(), this::migrate));
  }

  private RouteResponse put(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    ObjectNode body = httpRequestContext.lenientBody();
    Address said = RecordJson.address(body);
    if (!said.equals(address)) {
      throw new InvalidPayloadException(
          "the record is of " + said + ", and can't be put to " + address);
    }
    if (httpRequestContext.header("If-Match").isPresent()) {
      return edit(
          httpRequestContext,
          address,
          seen -> replacing(httpRequestContext, seen, RecordJson.record(body, seen)));
    }
    NameRecord next = RecordJson.record(body);
    ConcernRoutes.requireAny(httpRequestContext);
    check(next, Optional.empty());
    StatusPermissions.requireLocks(httpRequestContext.caller(), Optional.empty(), next);
    return create(httpRequestContext, next);
  }

  private RouteResponse create(HttpRequestContext httpRequestContext, NameRecord next) {
    Address address = next.address();
    if (names.backend().create(next)) {
      return NameRoutes.tagged(201, bodies.record(next, httpRequestContext));
    }
    JsonNode actual =
        names
            .find(address)
            .<JsonNode>map(record -> bodies.record(record, httpRequestContext).json())
            .orElseGet(JsonNodeFactory.instance::nullNode);
    return ConflictProblems.of(
        httpRequestContext, ConflictProblems.IN_HEADER, "record " + address, actual);
  }

  private EditDecision replacing(
      HttpRequestContext httpRequestContext, NameRecord seen, NameRecord next) {
    check(next, Optional.of(seen));
    StatusPermissions.requireLocks(httpRequestContext.caller(), Optional.of(seen), next);
    return EditDecision.replace(seen, next);
  }

  /** Checks that a push could make the changes in a record. */
  private void check(NameRecord next, Optional<NameRecord> seen) {
    boolean sameTexts = seen.filter(record -> texts(record).equals(texts(next))).isPresent();
    if (!sameTexts && !texts(next).stream().allMatch(UnicodeText::isWellFormed)) {
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

  /**
   * Removes a record. Takes only the right to write, since clients write other records after it and
   * must not be refused halfway.
   */
  private RouteResponse remove(HttpRequestContext httpRequestContext) {
    Address address = NameRoutes.address(httpRequestContext);
    httpRequestContext.caller().require(Action.WRITE, ResourceType.NAMES, address.toString());
    return edit(httpRequestContext, address, seen -> EditDecision.remove());
  }

  /**
   * Applies an edit that a client has decided, if the record is in the state that the client has
   * seen.
   */
  private RouteResponse edit(
      HttpRequestContext httpRequestContext, Address address, RecordEdit decided) {
    String tag =
        httpRequestContext
            .header("If-Match")
            .orElseThrow(
                () ->
                    HttpRequestContext.invalid(
                        "say by If-Match which state of the record is meant"));
    Optional<EditResult> edited =
        names
            .backend()
            .edit(
                address,
                seen ->
                    isExpectedState(httpRequestContext, seen, tag)
                        ? decided.decide(seen)
                        : EditDecision.keep());
    if (edited.isEmpty()) {
      return ConflictProblems.notFound(address);
    }
    return isExpectedState(httpRequestContext, edited.get().before(), tag)
        ? done(httpRequestContext, edited.get())
        : conflict(httpRequestContext, address);
  }

  /** Applies an edit that the server decides by the current state of the record. */
  private RouteResponse edit(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    EditRequest request = EditJson.read(httpRequestContext.lenientBody());
    if (removes(request)) {
      httpRequestContext.caller().require(Action.ADMIN, ResourceType.NAMES, address.toString());
    }
    Optional<EditResult> edited = names.edit(address, request);
    if (edited.isEmpty()) {
      return ConflictProblems.notFound(address);
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("before", bodies.record(edited.get().before(), httpRequestContext).json());
    json.set(
        "after",
        edited
            .get()
            .after()
            .<JsonNode>map(record -> bodies.record(record, httpRequestContext).json())
            .orElseGet(JsonNodeFactory.instance::nullNode));
    return RouteResponse.ok(json);
  }

  private static boolean removes(EditRequest request) {
    return request instanceof EditRequest.Purge
        || request instanceof EditRequest.Sweep
        || request instanceof EditRequest.Undo;
  }

  private RouteResponse done(HttpRequestContext httpRequestContext, EditResult editResult) {
    Optional<String> now =
        editResult.after().map(record -> bodies.record(record, httpRequestContext).tag());
    return new RouteResponse.Empty(204, now.map(tag -> Map.of("ETag", tag)).orElse(Map.of()));
  }

  private boolean isExpectedState(
      HttpRequestContext httpRequestContext, NameRecord seen, String tag) {
    return ETags.matches(tag, bodies.record(seen, httpRequestContext).tag());
  }

  private RouteResponse conflict(HttpRequestContext httpRequestContext, Address address) {
    Optional<NameRecord> actual = names.find(address);
    if (actual.isEmpty()) {
      return ConflictProblems.notFound(address);
    }
    Body shown = bodies.record(actual.get(), httpRequestContext);
    return ConflictProblems.of(
            httpRequestContext, ConflictProblems.IN_HEADER, "record " + address, shown.json())
        .with("ETag", shown.tag());
  }

  private RouteResponse survey(HttpRequestContext httpRequestContext) {
    VersionPage versionPage =
        names.listVersions(
            httpRequestContext.query("prefix").orElse(""), Pagination.of(httpRequestContext));
    List<JsonNode> items = new ArrayList<>();
    for (VersionPage.VersionEntry versionEntry : versionPage.seen()) {
      if (httpRequestContext
          .caller()
          .may(Action.READ, ResourceType.NAMES, versionEntry.address().toString())) {
        items.add(
            JsonNodeFactory.instance
                .objectNode()
                .put("address", versionEntry.address().toString())
                .put("part", versionEntry.part())
                .put("version", versionEntry.version()));
      }
    }
    return RouteResponse.ok(Pagination.page(items, versionPage.next()));
  }

  /**
   * Reads the marker. It names records, so only callers that may read all of them get it; other
   * clients detect changes by comparing versions.
   */
  private RouteResponse readMarker(HttpRequestContext httpRequestContext) {
    if (!httpRequestContext.caller().may(Action.READ, ResourceType.NAMES, "")) {
      return RouteResponse.empty(204);
    }
    ChangeMarker.State state =
        names.marker().read(httpRequestContext.header("If-None-Match").map(ETags::text));
    if (state instanceof ChangeMarker.Current current) {
      ObjectNode json = JsonNodeFactory.instance.objectNode().put("text", current.text());
      return RouteResponse.ok(json).with("ETag", ETags.ofText(current.version()));
    }
    return RouteResponse.empty(state == ChangeMarker.Unchanged.UNCHANGED ? 304 : 204);
  }

  /** Body of a request that writes the marker. */
  record MarkerText(String text) {}

  private RouteResponse writeMarker(HttpRequestContext httpRequestContext) throws IOException {
    httpRequestContext.caller().require(Action.WRITE, ResourceType.NAMES, "");
    String text = httpRequestContext.body(MarkerText.class).text;
    Optional<String> known = httpRequestContext.header("If-Match").map(ETags::text);
    if (known.isEmpty()) {
      ConcernRoutes.requireAny(httpRequestContext);
    }
    return names
        .marker()
        .write(known, text)
        .<RouteResponse>map(
            version -> new RouteResponse.Empty(204, Map.of("ETag", ETags.ofText(version))))
        .orElseGet(
            () ->
                RouteResponse.problem(
                    Problem.of(412, "conflict", "another has written the marker; read it again")));
  }

  /**
   * Converts old records, or plans that. Streams a line for each conversion; the last line marks
   * the end.
   */
  private RouteResponse migrate(HttpRequestContext httpRequestContext) {
    MigrationMode mode =
        httpRequestContext.flag("apply") ? MigrationMode.APPLY : MigrationMode.DRY_RUN;
    return new RouteResponse.Streamed(
        200, LINES, out -> migrate(mode, httpRequestContext.id(), out), Map.of());
  }

  private void migrate(MigrationMode mode, String id, OutputStream out) throws IOException {
    ObjectNode last = JsonNodeFactory.instance.objectNode().put("end", true);
    try (Stream<MigrationEntry> lines = names.migrate(mode)) {
      for (Iterator<MigrationEntry> each = lines.iterator(); each.hasNext(); ) {
        write(MigrationEntryJson.of(each.next()), out);
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
