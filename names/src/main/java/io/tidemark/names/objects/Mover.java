// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameRecord;
import io.tidemark.names.objects.Documents.Document;
import io.tidemark.objects.ETag;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Changes of one concern; why they are safe is explained at {@link ObjectNameBackend}. */
final class Mover {

  private static final int MOST_UNSEALED = 8192;

  private final Documents documents;
  private final RecordReader reader;
  private final Turns turns;
  private final Retry retry;
  private final Layout layout;
  private final Clock clock;
  private final InlineIndex inlineIndex;

  /**
   * Side documents, by key, in versions that were written here: nobody had sealed them then, so as
   * long as they are still in that version the main document needn't be looked at.
   */
  private final Map<String, ETag> unsealed = new ConcurrentHashMap<>();

  Mover(Documents documents, RecordReader reader, Turns turns, Retry retry, Clock clock) {
    this.documents = documents;
    this.reader = reader;
    this.turns = turns;
    this.retry = retry;
    this.layout = reader.layout();
    this.clock = clock;
    this.inlineIndex = new InlineIndex(documents, reader);
  }

  Outcome change(Address address, Change change) {
    Retry.Backoff backoff = retry.start();
    Patience patience = new Patience();
    Optional<Outcome> outcome = turns.take(address, () -> attemptFromMemory(address, change));
    while (outcome.isEmpty()) {
      outcome = turns.take(address, () -> attempt(address, change, patience));
      if (outcome.isEmpty()) {
        ObjectNameBackend.pauseOrGiveUp(backoff, address);
      }
    }
    return outcome.get();
  }

  /**
   * Tries to make a change of what is known without reading, which takes one request if nobody has
   * changed it since; empty when that didn't work out, which says nothing yet.
   */
  private Optional<Outcome> attemptFromMemory(Address address, Change change) {
    Optional<MainDocument> main = reader.knownMain(address);
    if (main.isEmpty() || main.get().announced().isPresent()) {
      return Optional.empty();
    }
    if (!main.get().layout().apart().contains(change.concern())) {
      Loaded loaded = new Loaded(main.get(), Map.of());
      return judge(loaded, change).isPresent() ? Optional.empty() : writeMain(loaded, change);
    }
    String key = reader.key(address, RecordKey.Part.of(change.concern()));
    Optional<Document> side = documents.known(key);
    if (side.isEmpty()) {
      return Optional.empty();
    }
    boolean checked = side.get().etag().equals(Optional.ofNullable(unsealed.get(key)));
    Optional<MainDocument> judged = checked ? main : reader.main(address);
    return judged
        .map(m -> loaded(m, change.concern(), side.get()))
        // What is known of the main document may be older than the side document.
        .filter(loaded -> loaded.side(change.concern()).flatMap(SideDocument::json).isPresent())
        .filter(
            loaded -> !loaded.side(change.concern()).orElseThrow().isSealedByAnother(loaded.main()))
        .filter(loaded -> judge(loaded, change).isEmpty())
        .flatMap(loaded -> writeSide(loaded, change));
  }

  /** Tries to make a change of what is there now; empty when somebody else was faster. */
  private Optional<Outcome> attempt(Address address, Change change, Patience patience) {
    boolean apart = layout.apart().contains(change.concern());
    // The side document comes first, see above.
    String key = reader.key(address, RecordKey.Part.of(change.concern()));
    Optional<Document> early = apart ? Optional.of(documents.read(key)) : Optional.empty();
    Optional<MainDocument> found = reader.main(address);
    if (found.isEmpty()) {
      return Optional.of(Missing.MISSING);
    }
    MainDocument main = found.get();
    if (!main.layout().apart().contains(change.concern())) {
      Loaded loaded = new Loaded(main, Map.of());
      Optional<Outcome> refusal = judge(loaded, change);
      boolean waits = refusal.isEmpty() && main.announced().filter(patience::isLeftFor).isPresent();
      return waits ? Optional.empty() : refusal.or(() -> writeMain(loaded, change));
    }
    if (early.isEmpty()) {
      Document side = documents.read(key);
      return reader.main(address).flatMap(again -> judgeAndWrite(again, change, side, patience));
    }
    return judgeAndWrite(main, change, early.get(), patience);
  }

  private Optional<Outcome> judgeAndWrite(
      MainDocument main, Change change, Document side, Patience patience) {
    Loaded loaded = loaded(main, change.concern(), side);
    SideDocument understood = loaded.side(change.concern()).orElseThrow();
    if (understood.isDoubtfulFor(main) && !documents.read(side.key()).etag().equals(side.etag())) {
      return Optional.empty();
    }
    Optional<Outcome> refusal = judge(loaded, change);
    boolean waits =
        refusal.isEmpty()
            && understood.isSealedByAnother(main)
            && understood.seal().filter(patience::isLeftFor).isPresent();
    return waits ? Optional.empty() : refusal.or(() -> writeSide(loaded, change));
  }

  private static Loaded loaded(MainDocument main, Concern concern, Document side) {
    return new Loaded(main, Map.of(concern, SideDocument.read(main, concern, side)));
  }

  /** Why a change can't be made; empty when it can. */
  private static Optional<Outcome> judge(Loaded loaded, Change change) {
    NameRecord record = loaded.record();
    if (!Records.has(record, change.concern())) {
      return Optional.of(Missing.MISSING);
    }
    if (record.meta().retracted()) {
      return Optional.of(Retracted.RETRACTED);
    }
    ConcernValue current = record.concern(change.concern());
    return change.allows(current) ? Optional.empty() : Optional.of(new Refused(current));
  }

  private Optional<Outcome> writeMain(Loaded loaded, Change change) {
    return inlineIndex
        .moveOutOf(loaded.main())
        .flatMap(
            main -> {
              NameRecord next = main.record().with(change.concern(), change.next(), clock.millis());
              return documents.write(main.document(), main.next(next).write());
            })
        .map(written -> new Applied(change.next()));
  }

  private Optional<Outcome> writeSide(Loaded loaded, Change change) {
    SideDocument side = loaded.side(change.concern()).orElseThrow();
    MainDocument main = loaded.main();
    if (side.isSealedByAnother(main) && touch(main).isEmpty()) {
      return Optional.empty();
    }
    NameRecord next = loaded.record().with(change.concern(), change.next(), clock.millis());
    Optional<Document> written =
        documents.write(side.document(), side.write(main, next, Optional.empty()));
    written.ifPresentOrElse(
        document -> rememberUnsealed(document), () -> unsealed.remove(side.document().key()));
    if (written.isPresent() && side.json().isEmpty()) {
      requireStillThere(main);
    }
    return written.map(document -> new Applied(change.next()));
  }

  private void rememberUnsealed(Document written) {
    if (unsealed.size() >= MOST_UNSEALED) {
      unsealed.clear();
    }
    unsealed.put(written.key(), written.etag().orElseThrow());
  }

  /** Makes a change of several documents fail that has sealed some and not ended. */
  private Optional<MainDocument> touch(MainDocument main) {
    return documents
        .write(main.document(), main.next(main.record()).write())
        .flatMap(now -> MainDocument.read(main.record().address(), main.layout(), now));
  }

  /**
   * A first side document may also have been written after its record was removed, sealed documents
   * and all.
   */
  private void requireStillThere(MainDocument main) {
    Address address = main.record().address();
    Optional<String> incarnation = reader.main(address).flatMap(MainDocument::incarnation);
    if (!incarnation.equals(main.incarnation())) {
      throw new OutcomeUnknownException(
          address
              + " was removed while it was being changed, perhaps before the change and perhaps"
              + " after; look whether it is there again before changing it");
    }
  }
}
