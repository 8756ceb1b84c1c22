// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditRequest;
import io.tidemark.names.EditResult;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.view.EditJson;
import io.tidemark.names.view.RecordJson;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import java.time.Duration;
import java.util.Optional;

/**
 * Editor of whole records. An edit that is data is sent as it is, and the server decides with the
 * record as it is then, so that it finishes even among writers that never pause. Any other is
 * decided here: read, decide, write back if the record is still the same. A caller that is too late
 * is answered with the record as it is, and decides again.
 */
final class HttpRecordEditor {

  /**
   * A record as the server has it.
   *
   * @param tag names this very state
   */
  private record TaggedRecord(NameRecord record, String tag) {}

  private static final Retry RETRY =
      new Retry(
          Duration.ofSeconds(15),
          Duration.ofMillis(1),
          Duration.ofMillis(10),
          MonotonicTime.system());

  private final RetryingReader retryingReader;
  private final IdempotentWriter idempotentWriter;

  HttpRecordEditor(RetryingReader retryingReader, IdempotentWriter idempotentWriter) {
    this.retryingReader = retryingReader;
    this.idempotentWriter = idempotentWriter;
  }

  Optional<EditResult> edit(Address address, RecordEdit edit) {
    Optional<ServerResponse> answer = edit.request().map(request -> send(address, request));
    return answer.isEmpty() || isUnsupportedByServer(answer.get())
        ? editLocally(address, edit)
        : edited(answer.get());
  }

  private ServerResponse send(Address address, EditRequest request) {
    return idempotentWriter.send(
        HttpNameBackend.at("POST", address, "edit").json(EditJson.of(request)),
        () -> isRepeatable(request));
  }

  /** Returns whether a server doesn't know edits that are data yet. */
  private static boolean isUnsupportedByServer(ServerResponse serverResponse) {
    return serverResponse.status() == 405 || serverResponse.code().equals("no-route");
  }

  private static Optional<EditResult> edited(ServerResponse serverResponse) {
    if (HttpNameBackend.isMissing(serverResponse)) {
      return Optional.empty();
    }
    JsonNode json = serverResponse.orThrow().json();
    JsonNode after = json.path("after");
    return Optional.of(
        new EditResult(
            RecordJson.record(json.path("before")),
            after.isObject() ? Optional.of(RecordJson.record(after)) : Optional.empty()));
  }

  /** Returns whether an edit that is made twice leaves the record, and the answer, as one does. */
  private static boolean isRepeatable(EditRequest request) {
    return request instanceof EditRequest.Retract
        || request instanceof EditRequest.Restore
        || request instanceof EditRequest.Reset
        || request instanceof EditRequest.CountBranches;
  }

  private Optional<EditResult> editLocally(Address address, RecordEdit decide) {
    Retry.Backoff backoff = RETRY.start();
    Optional<TaggedRecord> seen = read(address);
    while (seen.isPresent()) {
      NameRecord record = seen.get().record();
      EditDecision editDecision = decide.decide(record);
      if (editDecision == EditDecision.keep()) {
        return Optional.of(EditResult.of(record, editDecision));
      }
      ServerRequest serverRequest =
          request(record, editDecision).header("If-Match", seen.get().tag());
      ServerResponse serverResponse = write(address, serverRequest, seen.get());
      if (serverResponse.isSuccess()) {
        return Optional.of(EditResult.of(record, editDecision));
      }
      seen = actual(serverResponse);
      if (seen.isPresent()) {
        ContentionException.pauseOrGiveUp(backoff, address);
      }
    }
    return Optional.empty();
  }

  private Optional<TaggedRecord> read(Address address) {
    ServerResponse serverResponse = retryingReader.get(HttpNameBackend.record(address));
    if (HttpNameBackend.isMissing(serverResponse)) {
      return Optional.empty();
    }
    NameRecord record = RecordJson.record(serverResponse.orThrow().json());
    return Optional.of(new TaggedRecord(record, serverResponse.header("ETag").orElse("")));
  }

  /** Sends what changes, since the rest may be beyond what the server reads of a body. */
  private static ServerRequest request(NameRecord seen, EditDecision editDecision) {
    Address address = seen.address();
    return editDecision instanceof EditDecision.Replace replace
        ? HttpNameBackend.at("PUT", address, "record")
            .json(RecordJson.changed(seen, replace.next()))
        : HttpNameBackend.at("DELETE", address, "record");
  }

  private ServerResponse write(
      Address address, ServerRequest serverRequest, TaggedRecord taggedRecord) {
    return idempotentWriter.send(
        serverRequest,
        () -> read(address).filter(now -> now.tag().equals(taggedRecord.tag())).isPresent());
  }

  /** Returns the current record of a refused write; empty when the record is gone. */
  private static Optional<TaggedRecord> actual(ServerResponse serverResponse) {
    if (HttpNameBackend.isMissing(serverResponse)) {
      return Optional.empty();
    }
    if (serverResponse.status() != 412) {
      throw serverResponse.failure();
    }
    NameRecord record = RecordJson.record(serverResponse.json().path("actual"));
    return Optional.of(new TaggedRecord(record, serverResponse.header("ETag").orElse("")));
  }
}
