// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.TidemarkException;
import java.time.Clock;
import java.util.Optional;

/**
 * Writer of concerns that have a document of their own, as in layouts B and C; why that is safe is
 * explained at {@link ObjectNameBackend}.
 *
 * <p>A side document that is in use proves that its record isn't retracted, so a writer that has it
 * needn't know what the main one says. There is one exception. A <i>first</i> side document is
 * written where there was none, and there is none also after its record was removed, seals and all.
 * So the writer of a first side document looks at the main document afterwards; and the side
 * document doesn't carry the mark that tells other writers that they can rely on it. Nor does the
 * next version, until a writer has read the main document after it. The same goes for what is
 * written over a document of another program, which may have come by there at any time.
 *
 * <p>A side document doesn't prove that the main one is still there: a person may have removed that
 * by hand, and then there is no record. So each operation that relies on a side document looks once
 * whether the main one is there, which costs a conditional read.
 */
final class SideConcernWriter implements ConcernWriter {

  private final DocumentStore documentStore;
  private final RecordReader reader;
  private final MainDocumentUpdater mainDocumentUpdater;
  private final Clock clock;

  SideConcernWriter(
      DocumentStore documentStore,
      RecordReader reader,
      MainDocumentUpdater mainDocumentUpdater,
      Clock clock) {
    this.documentStore = documentStore;
    this.reader = reader;
    this.mainDocumentUpdater = mainDocumentUpdater;
    this.clock = clock;
  }

  @Override
  public Optional<Outcome> attemptFromCache(Attempt attempt) {
    Address address = attempt.address();
    ConcernChange concernChange = attempt.change();
    Optional<MainDocument> main = reader.cachedMain(address);
    Optional<Document> side = documentStore.cached(key(address, concernChange.concern()));
    Optional<SideContent> content =
        side.flatMap(known -> SideContent.read(concernChange.concern(), known))
            .filter(found -> found.seal().isEmpty() && agrees(main, concernChange.concern(), found))
            .filter(found -> found.provesRecordIsLive() || main.isPresent());
    if (content.isEmpty()) {
      return Optional.empty();
    }
    if (concernChange.allows(content.get().value())) {
      return attempt.existence().isConfirmed()
          ? writeSide(address, concernChange, side.orElseThrow(), content.get())
          : Optional.of(Missing.MISSING);
    }
    boolean certain =
        content.get().provesRecordIsLive() && side.orElseThrow().wasThereAfter(attempt.began());
    return certain ? Optional.of(new Refused(content.get().value())) : Optional.empty();
  }

  @Override
  public Optional<Outcome> attempt(Attempt attempt) {
    Address address = attempt.address();
    ConcernChange concernChange = attempt.change();
    Optional<MainDocument> known = reader.cachedMain(address);
    // The side document comes first, so that a main document read after it tells about it.
    Document side = documentStore.read(key(address, concernChange.concern()));
    Optional<SideContent> content =
        SideContent.read(concernChange.concern(), side)
            .filter(SideContent::provesRecordIsLive)
            .filter(found -> agrees(known, concernChange.concern(), found));
    if (content.isPresent()) {
      if (!attempt.existence().isConfirmed()) {
        return Optional.of(Missing.MISSING);
      }
      return concernChange.allows(content.get().value())
          ? writeSide(address, concernChange, side, content.get())
          : Optional.of(new Refused(content.get().value()));
    }
    if (side.etag().isEmpty() && isUntouched(known, concernChange)) {
      return writeSide(known.orElseThrow(), concernChange, side);
    }
    return attemptBeside(address, concernChange, side, attempt.patience());
  }

  /** Goes on from a side document that has just been read. */
  private Optional<Outcome> attemptBeside(
      Address address, ConcernChange concernChange, Document side, EditWaitBudget editWaitBudget) {
    Optional<MainDocument> found = reader.main(address);
    if (found.isEmpty()) {
      return Optional.of(Missing.MISSING);
    }
    MainDocument main = found.get();
    if (!main.layout().apart().contains(concernChange.concern())) {
      return mainDocumentUpdater.make(main, concernChange);
    }
    SideDocument understood = SideDocument.read(main, concernChange.concern(), side);
    if (understood.mayBeStaleFor(main)
        && !documentStore.read(side.key()).etag().equals(side.etag())) {
      return Optional.empty();
    }
    Optional<Outcome> refusal =
        MainDocumentUpdater.judge(understood.mergedInto(main.record(), main), concernChange);
    if (refusal.isPresent()) {
      return refusal;
    }
    if (understood.isFencedByAnother(main)) {
      boolean waits = understood.fence().filter(editWaitBudget::hasBudgetFor).isPresent();
      if (waits || documentStore.write(main.next(main.record())).isEmpty()) {
        return Optional.empty();
      }
    }
    return writeSide(main, concernChange, side);
  }

  /** Returns whether nothing is known of the main document that a side document can't know. */
  private static boolean agrees(
      Optional<MainDocument> known, Concern concern, SideContent content) {
    return known.isEmpty()
        || (known.get().incarnation().isPresent()
            && known.get().incarnation().equals(content.incarnation())
            && known.get().concern(concern).watermark() <= content.value().watermark());
  }

  /**
   * Returns whether a concern that has no document yet is in the state that is known. It is as long
   * as the record is the same one: whatever moves it makes that document.
   */
  private static boolean isUntouched(Optional<MainDocument> known, ConcernChange concernChange) {
    return known
        .filter(main -> main.incarnation().isPresent() && main.seal().isEmpty())
        .filter(main -> MainDocumentUpdater.judge(main.record(), concernChange).isEmpty())
        .isPresent();
  }

  /** Writes over what was read before the main document, or where there was nothing. */
  private Optional<Outcome> writeSide(
      MainDocument main, ConcernChange concernChange, Document before) {
    SideDocument side = SideDocument.read(main, concernChange.concern(), before);
    NameRecord merged = side.mergedInto(main.record(), main);
    NameRecord next = merged.with(concernChange.concern(), concernChange.next(), clock.millis());
    SideContent content = side.next(main, next, Optional.empty());
    boolean follows = side.isMarkedFor(main);
    return write(next.address(), concernChange, before, follows ? content.asConfirmed() : content);
  }

  private Optional<Outcome> writeSide(
      Address address, ConcernChange concernChange, Document before, SideContent content) {
    SideContent next = content.moved(concernChange.concern(), concernChange.next(), clock.millis());
    return write(address, concernChange, before, next);
  }

  private Optional<Outcome> write(
      Address address, ConcernChange concernChange, Document before, SideContent next) {
    return documentStore
        .write(address, concernChange.concern(), before, next)
        .filter(written -> next.confirmed() || confirm(address, written, next))
        .map(written -> new Applied(concernChange.next()));
  }

  /**
   * Finds out whether a document that was written without knowing counts; if its record is gone,
   * then it was gone before, unless another writer has changed the document since.
   */
  private boolean confirm(Address address, Document written, SideContent content) {
    try {
      Optional<MainDocument> main = reader.main(address);
      if (main.filter(now -> SideDocument.belongsTo(now, content.incarnation())).isPresent()) {
        written.remember(content.asConfirmed());
        return true;
      }
      if (documentStore.read(written.key()).etag().equals(written.etag())) {
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
