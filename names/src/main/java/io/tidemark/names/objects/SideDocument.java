// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import java.util.Optional;

/**
 * The document of one concern, as it is to be understood beside a main one.
 *
 * @param document the document that it was read from, with its version
 * @param concern which concern it holds
 * @param content its content; empty when it isn't there, or belongs to a record that had the
 *     address before
 */
record SideDocument(Document document, Concern concern, Optional<SideContent> content) {

  /** Reads a document that lies beside the given main one. */
  static SideDocument read(MainDocument main, Concern concern, Document document) {
    RecordKind recordKind = main.record().meta().kind();
    Optional<SideContent> content =
        document
            .json()
            .map(json -> SideContent.read(concern, recordKind, document))
            .filter(found -> belongsTo(main, found.incarnation()) || isFromOtherProgram(document));
    return new SideDocument(document, concern, content);
  }

  /** Returns the change that it was last taken out of use for; empty when it is in use. */
  Optional<String> fence() {
    return content.flatMap(SideContent::seal);
  }

  /**
   * Returns whether this document may have been read too early to be understood by the main one: a
   * change of several documents has ended that this one knows nothing of, so it is the state before
   * an earlier one, or none at all, that would show. One that is in use speaks for itself, unless
   * it is older than what that change has set.
   */
  boolean mayBeStaleFor(MainDocument main) {
    boolean concerned = main.seal().isPresent() && (concern == Concern.INDEX || !movedOnly(main));
    return isInUse() ? isOlderThanSet(main) : concerned && !isFencedBy(main);
  }

  /** Whatever is written after a change of several documents goes on from what that has set. */
  private boolean isOlderThanSet(MainDocument main) {
    Optional<EditFence> by = main.seal().filter(last -> last.state(concern).isPresent());
    if (by.isEmpty() || !isMarkedFor(main)) {
      return false;
    }
    SideContent mine = content.orElseThrow();
    return concern == Concern.INDEX
        ? mine.indexRev() < by.get().indexRev()
        : mine.value().watermark() < by.get().state(concern).orElseThrow().watermark();
  }

  boolean isInUse() {
    return content.isPresent() && fence().isEmpty();
  }

  /** Returns whether a change has sealed this document that the main one doesn't name. */
  boolean isFencedByAnother(MainDocument main) {
    return fence().isPresent() && !isFencedBy(main);
  }

  private static boolean movedOnly(MainDocument main) {
    return main.seal().equals(Optional.of(EditFence.INDEX_MOVED));
  }

  private boolean isFencedBy(MainDocument main) {
    return fence().equals(main.seal().map(EditFence::id));
  }

  /** A main document without an incarnation was written by a program that leaves them out. */
  static boolean belongsTo(MainDocument main, Optional<String> incarnation) {
    return main.incarnation().isEmpty() || main.incarnation().equals(incarnation);
  }

  /**
   * Returns whether another program wrote it, which leaves out whose it is as well as what else it
   * doesn't know. It means the record that is there.
   */
  private static boolean isFromOtherProgram(Document document) {
    return document.json().filter(DocumentForm::isFromOtherProgram).isPresent();
  }

  /** Returns whether it says itself that it is of this very record. */
  boolean isMarkedFor(MainDocument main) {
    return content.map(SideContent::incarnation).equals(Optional.of(main.incarnation()));
  }

  /** Returns the record with this document's concern, where that is the newer one. */
  NameRecord mergedInto(NameRecord record, MainDocument main) {
    if (content.isEmpty()) {
      return record;
    }
    Optional<EditFence> by = main.seal().filter(last -> fence().equals(Optional.of(last.id())));
    Optional<ConcernValue> set = by.flatMap(last -> last.state(concern));
    if (set.isPresent()) {
      return with(record, set.get(), by.orElseThrow().indexRev(), 0);
    }
    if (!holds(main)) {
      return record;
    }
    SideContent mine = content.get();
    return with(record, mine.value(), mine.indexRev(), by.isPresent() ? 0 : mine.updatedAtMs());
  }

  /** Returns whether the concern is read from here and not from the main document. */
  boolean holds(MainDocument main) {
    return content
        .filter(mine -> mine.value().watermark() >= main.concern(concern).watermark())
        .isPresent();
  }

  private NameRecord with(NameRecord record, ConcernValue value, long indexRev, long updatedAtMs) {
    NameRecord.Meta meta = record.meta();
    NameRecord.Meta now =
        meta.with()
            .updatedAtMs(Math.max(meta.updatedAtMs(), updatedAtMs))
            .indexRev(concern == Concern.INDEX ? indexRev : meta.indexRev())
            .build();
    return record.withMeta(now).with(concern, value);
  }

  /** Returns the next content: the state that the given record has, in use or sealed. */
  SideContent next(MainDocument main, NameRecord record, Optional<String> sealedBy) {
    return new SideContent(
        record.meta().kind(),
        record.concern(concern),
        concern == Concern.INDEX ? record.meta().indexRev() : 0,
        record.meta().updatedAtMs(),
        main.incarnation(),
        sealedBy,
        content.map(SideContent::confirmed).orElse(false),
        othersBeside(main));
  }

  /** Keys that aren't known here, with those that came with an index from the main document. */
  private ObjectNode othersBeside(MainDocument main) {
    ObjectNode mine = content.map(SideContent::others).orElseGet(DocumentJson::object);
    ObjectNode moved =
        concern == Concern.INDEX ? DocumentKeys.ofIndex(main.others()) : DocumentJson.object();
    return moved.isEmpty() ? mine : moved.setAll(mine);
  }
}
