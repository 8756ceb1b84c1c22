// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.objects.Documents.Document;
import java.util.Optional;

/**
 * The document of one concern, beside the main one.
 *
 * @param document where it was read, in which version
 * @param concern which concern it holds
 * @param json what it says, in today's keys; empty when it isn't there, or belongs to a record that
 *     had the address before
 * @param seal the change that this document was last taken out of use for; empty when it is in use
 */
record SideDocument(
    Document document, Concern concern, Optional<ObjectNode> json, Optional<String> seal) {

  /** Reads a document that lies beside the given main one. */
  static SideDocument read(MainDocument main, Concern concern, Document document) {
    String key = document.key();
    Optional<ObjectNode> json =
        document
            .json()
            .map(node -> OldShapes.normalise(key, node))
            .filter(node -> belongs(main, Json.text(key, node, "tm:record")));
    return new SideDocument(
        document, concern, json, json.flatMap(node -> Json.text(key, node, "tm:seal")));
  }

  /**
   * Whether this document may have been read too early to be understood by the main one: a change
   * of several documents has ended that this one knows nothing of, so it is the state before an
   * earlier one, or none at all, that would show. One that is in use speaks for itself.
   */
  boolean isDoubtfulFor(MainDocument main) {
    boolean inUse = json.isPresent() && seal.isEmpty();
    boolean concerned = main.seal().isPresent() && (concern == Concern.INDEX || !movedOnly(main));
    return !inUse && concerned && !isSealedBy(main);
  }

  /** Whether a change has sealed this document that the main one doesn't name. */
  boolean isSealedByAnother(MainDocument main) {
    return seal.isPresent() && !isSealedBy(main);
  }

  private static boolean movedOnly(MainDocument main) {
    return main.seal().equals(Optional.of(Seal.INDEX_MOVED));
  }

  private boolean isSealedBy(MainDocument main) {
    return seal.equals(main.seal().map(Seal::id));
  }

  /** A main document without an incarnation was written by a program that leaves them out. */
  private static boolean belongs(MainDocument main, Optional<String> incarnation) {
    return main.incarnation().isEmpty() || main.incarnation().equals(incarnation);
  }

  /** The record with this document's concern, where that is the newer one. */
  NameRecord mergedInto(NameRecord record, MainDocument main) {
    if (json.isEmpty()) {
      return record;
    }
    Optional<Seal> by = main.seal().filter(last -> seal.equals(Optional.of(last.id())));
    Optional<ConcernValue> set = by.flatMap(last -> last.state(concern));
    if (set.isPresent()) {
      return with(record, set.get(), by.orElseThrow().indexRev(), 0);
    }
    String key = document.key();
    ConcernValue mine = ConcernFormat.read(key, concern, record.meta().kind(), json.get());
    if (mine.watermark() < main.concern(concern).watermark()) {
      return record;
    }
    return with(
        record,
        mine,
        Json.number(key, json.get(), "tm:indexRev").orElse(0L),
        by.isPresent() ? 0 : Json.number(key, json.get(), "tm:updatedAtMs").orElse(0L));
  }

  /** Whether the concern is read from here and not from the main document. */
  boolean holds(MainDocument main) {
    return json.isPresent() && watermark(main) >= main.concern(concern).watermark();
  }

  private long watermark(MainDocument main) {
    Kind kind = main.record().meta().kind();
    return ConcernFormat.read(document.key(), concern, kind, json.orElseThrow()).watermark();
  }

  private NameRecord with(NameRecord record, ConcernValue value, long indexRev, long updatedAtMs) {
    NameRecord.Meta meta = record.meta();
    NameRecord.Meta now =
        new NameRecord.Meta(
            meta.kind(),
            meta.sourceType(),
            meta.dependencies(),
            meta.createdAt(),
            Math.max(meta.updatedAtMs(), updatedAtMs),
            meta.retracted(),
            meta.sourceBranch(),
            meta.branches(),
            concern == Concern.INDEX ? indexRev : meta.indexRev());
    return Records.with(record, concern, value, now);
  }

  /** The document with the state that the given record has, in use or taken out of it. */
  ObjectNode write(MainDocument main, NameRecord record, Optional<String> sealedBy) {
    ObjectNode before = json.orElseGet(Json::object);
    ObjectNode out = Keys.start(record.address(), before);
    ConcernFormat.write(concern, record.meta().kind(), record.concern(concern), out);
    if (concern == Concern.INDEX && record.meta().indexRev() > 0) {
      out.put("tm:indexRev", record.meta().indexRev());
    }
    out.put("tm:updatedAtMs", record.meta().updatedAtMs());
    main.incarnation().ifPresent(id -> out.put("tm:record", id));
    sealedBy.ifPresent(id -> out.put("tm:seal", id));
    return Keys.finish(out, before);
  }
}
