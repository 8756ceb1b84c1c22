// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.Edit;
import io.tidemark.names.EditRequest;
import io.tidemark.names.Edited;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.view.EditJson;
import io.tidemark.names.view.RecordJson;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import java.time.Duration;
import java.util.Optional;

/**
 * Edits of whole records. One that is data is sent as it is, and the server decides with the record
 * as it is then, so that it ends among others who write without pause. Any other is decided here:
 * read, decide, write back if the record is still the same. A caller that is too late is answered
 * with the record as it is, and decides again.
 */
final class Edits {

  /**
   * A record as the server has it.
   *
   * @param tag names this very state
   */
  private record Seen(NameRecord record, String tag) {}

  private static final Retry RETRY =
      new Retry(
          Duration.ofSeconds(15),
          Duration.ofMillis(1),
          Duration.ofMillis(10),
          MonotonicTime.system());

  private final Reads reads;
  private final Writes writes;

  Edits(Reads reads, Writes writes) {
    this.reads = reads;
    this.writes = writes;
  }

  Optional<Edited> edit(Address address, RecordEdit edit) {
    Optional<Answer> answer = edit.request().map(request -> send(address, request));
    return answer.isEmpty() || isFromAnEarlierServer(answer.get())
        ? decideHere(address, edit)
        : edited(answer.get());
  }

  private Answer send(Address address, EditRequest request) {
    return writes.send(
        HttpNameBackend.at("POST", address, "edit").json(EditJson.of(request)),
        () -> isRepeatable(request));
  }

  /** Whether a server doesn't know edits that are data yet. */
  private static boolean isFromAnEarlierServer(Answer answer) {
    return answer.status() == 405 || answer.code().equals("no-route");
  }

  private static Optional<Edited> edited(Answer answer) {
    if (HttpNameBackend.isMissing(answer)) {
      return Optional.empty();
    }
    JsonNode json = answer.orThrow().json();
    JsonNode after = json.path("after");
    return Optional.of(
        new Edited(
            RecordJson.record(json.path("before")),
            after.isObject() ? Optional.of(RecordJson.record(after)) : Optional.empty()));
  }

  /** Whether an edit that is made twice leaves the record, and the answer, as one does. */
  private static boolean isRepeatable(EditRequest request) {
    return request instanceof EditRequest.Retract
        || request instanceof EditRequest.Restore
        || request instanceof EditRequest.Reset
        || request instanceof EditRequest.CountBranches;
  }

  private Optional<Edited> decideHere(Address address, RecordEdit decide) {
    Retry.Backoff backoff = RETRY.start();
    Optional<Seen> seen = read(address);
    while (seen.isPresent()) {
      NameRecord record = seen.get().record();
      Edit edit = decide.decide(record);
      if (edit == Edit.keep()) {
        return Optional.of(Edited.of(record, edit));
      }
      Request request = request(record, edit).header("If-Match", seen.get().tag());
      Answer answer = write(address, request, seen.get());
      if (answer.isSuccess()) {
        return Optional.of(Edited.of(record, edit));
      }
      seen = actual(answer);
      if (seen.isPresent()) {
        ContentionException.pauseOrGiveUp(backoff, address);
      }
    }
    return Optional.empty();
  }

  private Optional<Seen> read(Address address) {
    Answer answer = reads.get(HttpNameBackend.record(address));
    if (HttpNameBackend.isMissing(answer)) {
      return Optional.empty();
    }
    NameRecord record = RecordJson.record(answer.orThrow().json());
    return Optional.of(new Seen(record, answer.header("ETag").orElse("")));
  }

  /** Sends what changes, since the rest may be beyond what the server reads of a body. */
  private static Request request(NameRecord seen, Edit edit) {
    Address address = seen.address();
    return edit instanceof Edit.Replace replace
        ? HttpNameBackend.at("PUT", address, "record")
            .json(RecordJson.changed(seen, replace.next()))
        : HttpNameBackend.at("DELETE", address, "record");
  }

  private Answer write(Address address, Request request, Seen seen) {
    return writes.send(
        request, () -> read(address).filter(now -> now.tag().equals(seen.tag())).isPresent());
  }

  /** What is there instead; empty when the record is gone. */
  private static Optional<Seen> actual(Answer answer) {
    if (HttpNameBackend.isMissing(answer)) {
      return Optional.empty();
    }
    if (answer.status() != 412) {
      throw answer.failure();
    }
    NameRecord record = RecordJson.record(answer.json().path("actual"));
    return Optional.of(new Seen(record, answer.header("ETag").orElse("")));
  }
}
