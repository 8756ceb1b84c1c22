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
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import java.time.Clock;
import java.util.Optional;

/**
 * Changes of one concern; why they are safe is explained at {@link ObjectNameBackend}.
 *
 * <p>A side document that is in use proves that its record isn't retracted, so whoever has it
 * needn't know what the main one says. There is one exception. A <i>first</i> side document is
 * written where there was none, and there is none also after its record was removed, seals and all.
 * So who writes one looks at the main document afterwards; and it doesn't carry the mark that tells
 * others that they can rely on it. Nor does what is written over it, until somebody has read the
 * main document after it. The same goes for what is written over a document of another program,
 * which may have come by there at any time.
 *
 * <p>A side document doesn't prove that the main one is still there: a person may have removed that
 * by hand, and then there is no record. So each operation that relies on a side document looks once
 * whether the main one is there, which costs a conditional read.
 */
final class Mover {

  private final Documents documents;
  private final RecordReader reader;
  private final Turns turns;
  private final Retry retry;
  private final Clock clock;
  private final InlineIndex inlineIndex;

  Mover(Documents documents, RecordReader reader, Turns turns, Retry retry, Clock clock) {
    this.documents = documents;
    this.reader = reader;
    this.turns = turns;
    this.retry = retry;
    this.clock = clock;
    this.inlineIndex = new InlineIndex(documents, reader);
  }

  Outcome change(Address address, Change change) {
    Retry.Backoff backoff = retry.start();
    Patience patience = new Patience();
    Existence existence = new Existence(address);
    long began = documents.moment();
    Optional<Outcome> outcome =
        turns.take(
            address,
            () ->
                attemptFromMemory(existence, change, began)
                    .or(() -> attempt(existence, change, patience)),
            result -> wasOvertaken(change, result));
    while (outcome.isEmpty()) {
      ObjectNameBackend.pauseOrGiveUp(backoff, address);
      outcome =
          turns.take(
              address,
              () -> attempt(existence, change, patience),
              result -> wasOvertaken(change, result));
    }
    return outcome.get();
  }

  /** Whether a record has a main document, looked up at most once in an operation. */
  private final class Existence {
    private final Address address;
    private boolean confirmed;

    Existence(Address address) {
      this.address = address;
    }

    boolean isConfirmed() {
      if (!confirmed) {
        confirmed = reader.main(address).isPresent();
      }
      return confirmed;
    }
  }

  /**
   * Whether the caller, now that it knows what is there, is about to come back. Who wanted to go
   * where others are already won't.
   */
  private static boolean wasOvertaken(Change change, Optional<Outcome> outcome) {
    return change instanceof Change.Push && outcome.isPresent() && outcome.get() instanceof Refused;
  }

  /**
   * Tries to make a change of what is known without reading, which takes one request if nobody has
   * changed it since; empty when that didn't work out, which says nothing yet. A change that isn't
   * allowed is refused without a request if what is known was there after the call began, as it was
   * when another thread has just written it.
   */
  private Optional<Outcome> attemptFromMemory(Existence existence, Change change, long began) {
    Address address = existence.address;
    Optional<MainDocument> main = reader.knownMain(address);
    if (!isApart(main, change.concern())) {
      return main.flatMap(known -> attemptFromMemory(known, change, began));
    }
    Optional<Document> side = documents.known(key(address, change.concern()));
    Optional<SideContent> content =
        side.flatMap(known -> SideContent.read(change.concern(), known))
            .filter(found -> found.seal().isEmpty() && agrees(main, change.concern(), found))
            .filter(found -> found.vouches() || main.isPresent());
    if (content.isEmpty()) {
      return Optional.empty();
    }
    if (change.allows(content.get().value())) {
      return existence.isConfirmed()
          ? writeSide(address, change, side.orElseThrow(), content.get())
          : Optional.of(Missing.MISSING);
    }
    boolean certain = content.get().vouches() && side.orElseThrow().wasThereAfter(began);
    return certain ? Optional.of(new Refused(content.get().value())) : Optional.empty();
  }

  private Optional<Outcome> attemptFromMemory(MainDocument main, Change change, long began) {
    Optional<Outcome> refusal = judge(main.record(), change);
    if (refusal.isPresent()) {
      return refusal.filter(outcome -> main.document().wasThereAfter(began));
    }
    return main.announced().isPresent() ? Optional.empty() : writeMain(main, change);
  }

  /** Tries to make a change of what is there now; empty when somebody else was faster. */
  private Optional<Outcome> attempt(Existence existence, Change change, Patience patience) {
    Address address = existence.address;
    Optional<MainDocument> known = reader.knownMain(address);
    if (!isApart(known, change.concern())) {
      return attemptInMain(address, change, patience);
    }
    // The side document comes first, so that a main document read after it tells about it.
    Document side = documents.read(key(address, change.concern()));
    Optional<SideContent> content =
        SideContent.read(change.concern(), side)
            .filter(SideContent::vouches)
            .filter(found -> agrees(known, change.concern(), found));
    if (content.isPresent()) {
      if (!existence.isConfirmed()) {
        return Optional.of(Missing.MISSING);
      }
      return change.allows(content.get().value())
          ? writeSide(address, change, side, content.get())
          : Optional.of(new Refused(content.get().value()));
    }
    if (side.etag().isEmpty() && isUntouched(known, change)) {
      return writeSide(known.orElseThrow(), change, side);
    }
    return attemptBeside(address, change, side, patience);
  }

  private Optional<Outcome> attemptInMain(Address address, Change change, Patience patience) {
    Optional<MainDocument> found = reader.main(address);
    if (found.isEmpty()) {
      return Optional.of(Missing.MISSING);
    }
    MainDocument main = found.get();
    if (main.layout().apart().contains(change.concern())) {
      Document side = documents.read(key(address, change.concern()));
      return attemptBeside(address, change, side, patience);
    }
    Optional<Outcome> refusal = judge(main.record(), change);
    boolean waits = refusal.isEmpty() && main.announced().filter(patience::isLeftFor).isPresent();
    return waits ? Optional.empty() : refusal.or(() -> writeMain(main, change));
  }

  /** Goes on from a side document that has just been read. */
  private Optional<Outcome> attemptBeside(
      Address address, Change change, Document side, Patience patience) {
    Optional<MainDocument> found = reader.main(address);
    if (found.isEmpty()) {
      return Optional.of(Missing.MISSING);
    }
    MainDocument main = found.get();
    if (!main.layout().apart().contains(change.concern())) {
      return judge(main.record(), change).or(() -> writeMain(main, change));
    }
    SideDocument understood = SideDocument.read(main, change.concern(), side);
    if (understood.isDoubtfulFor(main) && !documents.read(side.key()).etag().equals(side.etag())) {
      return Optional.empty();
    }
    Optional<Outcome> refusal = judge(understood.mergedInto(main.record(), main), change);
    if (refusal.isPresent()) {
      return refusal;
    }
    if (understood.isSealedByAnother(main)) {
      boolean waits = understood.seal().filter(patience::isLeftFor).isPresent();
      if (waits || documents.write(main.next(main.record())).isEmpty()) {
        return Optional.empty();
      }
    }
    return writeSide(main, change, side);
  }

  /** Whether a concern has a document of its own, as far as is known. */
  private boolean isApart(Optional<MainDocument> known, Concern concern) {
    Layout layout = known.map(MainDocument::layout).orElse(reader.layout());
    return layout.apart().contains(concern);
  }

  /** Whether nothing is known of the main document that a side document can't know. */
  private static boolean agrees(
      Optional<MainDocument> known, Concern concern, SideContent content) {
    return known.isEmpty()
        || (known.get().incarnation().isPresent()
            && known.get().incarnation().equals(content.incarnation())
            && known.get().concern(concern).watermark() <= content.value().watermark());
  }

  /**
   * Whether a concern that has no document yet is in the state that is known. It is as long as the
   * record is the same one: whatever moves it makes that document.
   */
  private static boolean isUntouched(Optional<MainDocument> known, Change change) {
    return known
        .filter(main -> main.incarnation().isPresent() && main.seal().isEmpty())
        .filter(main -> judge(main.record(), change).isEmpty())
        .isPresent();
  }

  /** Why a change can't be made; empty when it can. */
  private static Optional<Outcome> judge(NameRecord record, Change change) {
    if (!Records.has(record, change.concern())) {
      return Optional.of(Missing.MISSING);
    }
    if (record.meta().retracted()) {
      return Optional.of(Retracted.RETRACTED);
    }
    ConcernValue current = record.concern(change.concern());
    return change.allows(current) ? Optional.empty() : Optional.of(new Refused(current));
  }

  private Optional<Outcome> writeMain(MainDocument found, Change change) {
    return inlineIndex
        .moveOutOf(found)
        .flatMap(
            main -> {
              NameRecord next = main.record().with(change.concern(), change.next(), clock.millis());
              return documents.write(main.next(next));
            })
        .map(written -> new Applied(change.next()));
  }

  /** Writes over what was read before the main document, or where there was nothing. */
  private Optional<Outcome> writeSide(MainDocument main, Change change, Document before) {
    SideDocument side = SideDocument.read(main, change.concern(), before);
    NameRecord merged = side.mergedInto(main.record(), main);
    NameRecord next = merged.with(change.concern(), change.next(), clock.millis());
    SideContent content = side.next(main, next, Optional.empty());
    boolean follows = side.isMarkedFor(main);
    return write(next.address(), change, before, follows ? content.asConfirmed() : content);
  }

  private Optional<Outcome> writeSide(
      Address address, Change change, Document before, SideContent content) {
    SideContent next = content.moved(change.concern(), change.next(), clock.millis());
    return write(address, change, before, next);
  }

  private Optional<Outcome> write(
      Address address, Change change, Document before, SideContent next) {
    return documents
        .write(address, change.concern(), before, next)
        .filter(written -> next.confirmed() || confirm(address, written, next))
        .map(written -> new Applied(change.next()));
  }

  /**
   * Finds out whether a document that was written without knowing counts; if its record is gone,
   * then it was before, unless somebody has been at the document since.
   */
  private boolean confirm(Address address, Document written, SideContent content) {
    try {
      Optional<MainDocument> main = reader.main(address);
      if (main.filter(now -> SideDocument.belongs(now, content.incarnation())).isPresent()) {
        written.remember(content.asConfirmed());
        return true;
      }
      if (documents.read(written.key()).etag().equals(written.etag())) {
        return false;
      }
    } catch (TidemarkException e) {
      throw new OutcomeUnknownException(
          address + " was changed, if it was still there, which can't be seen; look at it again",
          e);
    }
    throw new OutcomeUnknownException(
        address
            + " was removed while it was being changed, perhaps before the change and perhaps"
            + " after; look whether it is there again before changing it");
  }

  private String key(Address address, Concern concern) {
    return reader.key(address, RecordKey.Part.of(concern));
  }
}
