// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.TidemarkException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals of the documents that layouts B and C have beside the main one, by which an edit keeps them
 * still; explained at {@link ObjectNameBackend}. A record without such documents has none.
 */
final class SideDocumentFences {

  private static final Logger LOG = LoggerFactory.getLogger(SideDocumentFences.class);

  /** Number of immediate attempts to seal a contended document. */
  private static final int TRIES = 30;

  private final DocumentStore documentStore;

  SideDocumentFences(DocumentStore documentStore) {
    this.documentStore = documentStore;
  }

  /** Returns whether the documents beside the main one have to be kept still for this. */
  boolean areNeededFor(LoadedRecord is, EditDecision editDecision) {
    if (is.sides().isEmpty()) {
      return false;
    }
    if (!(editDecision instanceof EditDecision.Replace replace)) {
      return true;
    }
    boolean retracts = replace.next().meta().retracted() && !is.main().record().meta().retracted();
    return retracts || !moved(is, replace.next()).isEmpty();
  }

  /** Returns the concerns with documents of their own that are to change. */
  private static Map<Concern, ConcernValue> moved(LoadedRecord is, NameRecord next) {
    NameRecord seen = is.record();
    Map<Concern, ConcernValue> moved = new EnumMap<>(Concern.class);
    for (Concern concern : is.main().layout().apart()) {
      boolean published =
          concern == Concern.INDEX && seen.meta().indexRev() != next.meta().indexRev();
      if (published || !seen.concern(concern).equals(next.concern(concern))) {
        moved.put(concern, next.concern(concern));
      }
    }
    return moved;
  }

  /**
   * Seals the side documents, as they are now; empty when other writers write them all the time.
   */
  Optional<LoadedRecord> acquire(LoadedRecord is, String id) {
    Map<Concern, SideDocument> taken = new EnumMap<>(Concern.class);
    for (SideDocument side : is.sides().values()) {
      Optional<SideDocument> mine = fence(is.main(), side, id);
      if (mine.isEmpty()) {
        return Optional.empty();
      }
      taken.put(side.concern(), mine.get());
    }
    return Optional.of(new LoadedRecord(is.main(), taken));
  }

  private Optional<SideDocument> fence(MainDocument main, SideDocument found, String id) {
    SideDocument side = found;
    Concern concern = found.concern();
    for (int i = 0; i < TRIES; i++) {
      NameRecord record = side.mergedInto(main.record(), main);
      SideContent next = side.next(main, record, Optional.of(id));
      Optional<Document> written =
          documentStore.write(record.address(), concern, side.document(), next);
      if (written.isPresent()) {
        return Optional.of(SideDocument.read(main, concern, written.get()));
      }
      side = SideDocument.read(main, concern, documentStore.read(side.document().key()));
      if (side.isFencedByAnother(main)) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Reads side documents again, beside another version of the main one. */
  static LoadedRecord reread(MainDocument main, Map<Concern, SideDocument> sides) {
    Map<Concern, SideDocument> again = new EnumMap<>(Concern.class);
    sides.forEach(
        (concern, side) -> again.put(concern, SideDocument.read(main, concern, side.document())));
    return new LoadedRecord(main, again);
  }

  /** Returns what the main document has to say of an edit that has sealed documents, if it has. */
  Optional<EditFence> fenceFor(LoadedRecord held, NameRecord next) {
    return held.sides().values().stream()
        .filter(side -> side.isFencedByAnother(held.main()))
        .findFirst()
        .flatMap(SideDocument::fence)
        .map(id -> new EditFence(id, moved(held, next), next.meta().indexRev()));
  }

  /** Writes the states that an edit has set into the documents of their concerns. */
  void writeBack(LoadedRecord held, EditFence editFence, NameRecord next) {
    editFence.states().keySet().forEach(concern -> writeBack(held, concern, next));
  }

  /**
   * Writes what the main document says of a concern into the concern's own. Nothing here depends on
   * that, but other programs don't know of seals, and drop them.
   */
  private void writeBack(LoadedRecord held, Concern concern, NameRecord next) {
    SideDocument side = held.side(concern).orElseThrow();
    SideContent content = side.next(held.main(), next, Optional.empty()).asConfirmed();
    try {
      documentStore.write(next.address(), concern, side.document(), content);
    } catch (TidemarkException e) {
      LOG.warn("{} is out of date for other programs: {}", side.document().key(), e.getMessage());
    }
  }
}
