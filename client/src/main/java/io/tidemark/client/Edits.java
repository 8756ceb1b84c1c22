// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.names.Address;
import io.tidemark.names.ContentionException;
import io.tidemark.names.Edit;
import io.tidemark.names.Edited;
import io.tidemark.names.NameRecord;
import io.tidemark.names.view.RecordJson;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Changes of whole records: read, decide, write back if it is still the same. Who is too late is
 * answered with the record as it is, and then insists: the server lets others wait for a moment
 * when it says no, writers of the same store included, so that the next decision is in time.
 */
final class Edits {

  /**
   * A record as the server has it.
   *
   * @param tag names this very state
   */
  private record Seen(NameRecord record, String tag) {}

  /** Short pauses, since others wait meanwhile. */
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

  Optional<Edited> edit(Address address, Function<NameRecord, Edit> decide) {
    String holder = UUID.randomUUID().toString();
    Retry.Backoff backoff = RETRY.start();
    Optional<Seen> seen = read(address);
    boolean late = false;
    while (seen.isPresent()) {
      NameRecord record = seen.get().record();
      Edit edit = decide.apply(record);
      if (edit == Edit.keep()) {
        return Optional.of(Edited.of(record, edit));
      }
      Request request = request(record, edit).header("If-Match", seen.get().tag());
      Answer answer = write(address, late ? request.query("insist", holder) : request, seen.get());
      if (answer.isSuccess()) {
        return Optional.of(Edited.of(record, edit));
      }
      seen = actual(answer);
      if (late && seen.isPresent() && !backoff.pause()) {
        throw new ContentionException(
            address + " is being changed by others all the time; try again later");
      }
      late = true;
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
