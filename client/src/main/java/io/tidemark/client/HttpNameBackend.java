// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.ChangeMarker;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditResult;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.VersionPage;
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
 * Backend for the names of a Tidemark server. It takes one request for a look-up, a change, or an
 * edit that can be sent as data, and two for any other edit without a conflict.
 *
 * <p>{@link IdempotentWriter} explains how lost answers are resolved, and {@link HttpRecordEditor}
 * how an edit ends among concurrent writers. The server announces changes to other processes, so
 * this backend doesn't.
 */
public final class HttpNameBackend implements NameBackend, NameStore {

  /** Prefix of no object, so that a listing of it is short. */
  private static final String NOWHERE = "tidemark-has-no-such-objects/";

  private final ServerConnection serverConnection;
  private final RetryingReader retryingReader;
  private final IdempotentWriter idempotentWriter;
  private final HttpRecordEditor httpRecordEditor;

  /** Whether the server has objects, and then those; empty as long as it wasn't asked. */
  private volatile Optional<Optional<ObjectStore>> objects = Optional.empty();

  /** Creates a backend for the names of a server; no request is sent yet. */
  public HttpNameBackend(ServerConnection serverConnection) {
    this(serverConnection, defaultRetry());
  }

  /**
   * Creates a backend for the names of a server, with a retry policy; no request is sent yet.
   *
   * @param retry how long to go on asking a server that doesn't answer
   */
  public HttpNameBackend(ServerConnection serverConnection, Retry retry) {
    this.serverConnection = serverConnection;
    this.retryingReader = new RetryingReader(serverConnection, retry);
    this.idempotentWriter = new IdempotentWriter(serverConnection, retry);
    this.httpRecordEditor = new HttpRecordEditor(retryingReader, idempotentWriter);
  }

  /**
   * Long enough for a server that is restarted, short enough for a user who has mistyped its
   * address.
   */
  static Retry defaultRetry() {
    return new Retry(
        Duration.ofSeconds(5),
        Duration.ofMillis(20),
        Duration.ofSeconds(1),
        MonotonicTime.system());
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    ServerResponse serverResponse = retryingReader.get(record(address));
    return isMissing(serverResponse)
        ? Optional.empty()
        : Optional.of(RecordJson.record(serverResponse.orThrow().json()));
  }

  static ServerRequest record(Address address) {
    return exact(ServerRequest.get("v1", "names", address.toString()));
  }

  static ServerRequest at(String method, Address address, String part) {
    return exact(ServerRequest.of(method, "v1", "names", address.toString(), part));
  }

  /** Payloads come back as they were written. */
  private static ServerRequest exact(ServerRequest serverRequest) {
    return serverRequest.query("exact", "true");
  }

  /** Of all that isn't there only a missing record is an answer. */
  static boolean isMissing(ServerResponse serverResponse) {
    return serverResponse.status() == 404 && serverResponse.code().equals("not-found");
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    ServerResponse serverResponse = retryingReader.get(at("GET", address, concern.text()));
    return isMissing(serverResponse)
        ? Optional.empty()
        : Optional.of(RecordJson.value(serverResponse.orThrow().json(), concern.text()));
  }

  @Override
  public boolean create(NameRecord record) {
    ServerResponse serverResponse =
        idempotentWriter.send(
            at("PUT", record.address(), "record")
                .json(RecordJson.wireForm(record))
                .header("If-None-Match", "*"),
            () -> find(record.address()).isEmpty());
    if (serverResponse.status() == 412) {
      return false;
    }
    return serverResponse.orThrow().isSuccess();
  }

  @Override
  public Outcome change(Address address, ConcernChange concernChange) {
    Concern concern = concernChange.concern();
    ServerResponse serverResponse =
        idempotentWriter.send(
            request(address, concernChange),
            () ->
                isAppliedAtMostOnce(concernChange)
                    && get(address, concern).filter(concernChange::allows).isPresent());
    if (serverResponse.isSuccess()) {
      return new Applied(concernChange.next());
    }
    return switch (serverResponse.code()) {
      case "conflict" -> refused(serverResponse, concern);
      case "not-found" -> Missing.MISSING;
      case "retracted" -> Retracted.RETRACTED;
      default -> throw serverResponse.failure();
    };
  }

  private static ServerRequest request(Address address, ConcernChange concernChange) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("next", RecordJson.wireForm(concernChange.next()));
    String concern = concernChange.concern().text();
    if (concernChange instanceof ConcernChange.Advance advance) {
      body.put("bound", advance.bound().name().toLowerCase(Locale.ROOT));
      return exact(ServerRequest.of("POST", "v1", "names", address.toString(), concern, "advance"))
          .json(body);
    }
    body.set("expected", RecordJson.wireForm(((ConcernChange.Push) concernChange).expected()));
    return at("PUT", address, concern).json(body);
  }

  /**
   * Returns whether the change isn't allowed any more once it was made, whatever other writers do
   * then.
   */
  private static boolean isAppliedAtMostOnce(ConcernChange concernChange) {
    return concernChange instanceof ConcernChange.Push push
        ? push.next().watermark() > push.expected().watermark()
        : !concernChange.allows(concernChange.next());
  }

  private static Outcome refused(ServerResponse serverResponse, Concern concern) {
    JsonNode actual = serverResponse.json().path("actual");
    return actual.isNull()
        ? Missing.MISSING
        : new Refused(RecordJson.value(actual, concern.text()));
  }

  @Override
  public Optional<EditResult> edit(Address address, RecordEdit edit) {
    return httpRecordEditor.edit(address, edit);
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    ServerRequest listing =
        exact(ServerRequest.get("v1", "names")).query("prefix", prefix).query("after", startAfter);
    return PageIterator.of(retryingReader, listing).map(RecordJson::record);
  }

  @Override
  public Stream<NameRecord> branchesOf(Address source) {
    return PageIterator.of(retryingReader, at("GET", source, "children")).map(RecordJson::record);
  }

  @Override
  public NameStore store() {
    return this;
  }

  @Override
  public VersionPage listVersions(String prefix, Optional<String> page) {
    ServerRequest serverRequest = ServerRequest.get("v1", "survey").query("prefix", prefix);
    JsonNode json =
        retryingReader
            .get(page.map(p -> serverRequest.query("cursor", p)).orElse(serverRequest))
            .orThrow()
            .json();
    List<VersionPage.VersionEntry> seen = new ArrayList<>();
    for (JsonNode item : json.path("items")) {
      seen.add(
          new VersionPage.VersionEntry(
              Address.parse(item.path("address").asText()),
              item.path("part").asText(),
              item.path("version").asText()));
    }
    JsonNode next = json.path("next");
    return new VersionPage(
        seen, next.isTextual() ? Optional.of(next.textValue()) : Optional.empty());
  }

  @Override
  public ChangeMarker marker() {
    return new HttpMarker(retryingReader, idempotentWriter);
  }

  @Override
  public Stream<MigrationEntry> migrate(MigrationMode mode) {
    return MigrationReportIterator.run(serverConnection, mode);
  }

  /** Known after one request, unless the server can't be asked; then it is asked again. */
  @Override
  public Optional<ObjectStore> objects() {
    Optional<Optional<ObjectStore>> known = objects;
    if (known.isEmpty()) {
      ServerResponse serverResponse =
          retryingReader.get(
              ServerRequest.get("v1", "objects").query("prefix", NOWHERE).query("limit", "1"));
      known =
          Optional.of(
              serverResponse.code().equals("no-objects")
                  ? Optional.empty()
                  : Optional.of(
                      new ObjectStore(new HttpObjectBackend(serverConnection), Retry.standard())));
      objects = known;
    }
    return known.get();
  }

  @Override
  public String location() {
    return serverConnection.toString();
  }

  @Override
  public void close() {
    // The connections are those of the process.
  }
}
