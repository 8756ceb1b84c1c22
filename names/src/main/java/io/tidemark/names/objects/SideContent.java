// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.RecordKind;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Content of the document of one concern.
 *
 * @param kind the kind of the record, by which the document is parsed
 * @param value the state of the concern
 * @param indexRev how often the index was published, when it is the index
 * @param updatedAtMs when it was written
 * @param incarnation the record that it belongs to; empty in documents of other programs
 * @param seal the change that it was last taken out of use for; empty when it is in use
 * @param confirmed whether it is certain that the record was there when this was written
 * @param others keys that aren't known here
 */
@RecordBuilder
record SideContent(
    RecordKind kind,
    ConcernValue value,
    long indexRev,
    long updatedAtMs,
    Optional<String> incarnation,
    Optional<String> seal,
    boolean confirmed,
    ObjectNode others)
    implements SideContentBuilder.With {

  /**
   * Says what the record is, so that readers don't need the main document for that. The first
   * version leaves it out: it may have been written after its record was removed, see {@link
   * SideConcernWriter}.
   */
  private static final String KIND = "tm:kind";

  /** Returns the content of a document; empty when it can't be parsed without the main document. */
  static Optional<SideContent> read(Concern concern, Document document) {
    if (document.content().isPresent()) {
      return document.content();
    }
    return document
        .json()
        .flatMap(node -> kind(node.path(KIND).asText()))
        .map(recordKind -> read(concern, recordKind, document));
  }

  private static Optional<RecordKind> kind(String word) {
    return Stream.of(RecordKind.values())
        .filter(recordKind -> word(recordKind).equals(word))
        .findFirst();
  }

  private static String word(RecordKind recordKind) {
    return recordKind.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the content of a document that exists. */
  static SideContent read(Concern concern, RecordKind recordKind, Document document) {
    Optional<SideContent> known =
        document.content().filter(content -> content.kind() == recordKind);
    return known.orElseGet(() -> document.remember(parse(concern, recordKind, document)));
  }

  private static SideContent parse(Concern concern, RecordKind recordKind, Document document) {
    String key = document.key();
    ObjectNode node = InteropKeyNormalizer.normalise(key, document.json().orElseThrow());
    return new SideContent(
        recordKind,
        ConcernFormat.read(key, concern, recordKind, node),
        DocumentJson.number(key, node, "tm:indexRev").orElse(0L),
        DocumentJson.number(key, node, "tm:updatedAtMs").orElse(0L),
        DocumentJson.text(key, node, "tm:record"),
        DocumentJson.text(key, node, "tm:seal"),
        node.has(KIND),
        DocumentKeys.others(node));
  }

  /**
   * Returns whether this alone proves that the record is there and isn't retracted: a writer that
   * retracts or removes the record seals this document first.
   */
  boolean provesRecordIsLive() {
    return confirmed && seal.isEmpty() && incarnation.isPresent();
  }

  /** Returns this content, marked as confirmed. */
  SideContent asConfirmed() {
    return withConfirmed(true);
  }

  /** Returns the content after a move of the concern; it is confirmed only if this is. */
  SideContent moved(Concern concern, ConcernValue next, long nowMs) {
    long rev = indexRev + (concern == Concern.INDEX ? 1 : 0);
    return with().value(next).indexRev(rev).updatedAtMs(nowMs).seal(Optional.empty()).build();
  }

  ObjectNode write(Address address, Concern concern) {
    ObjectNode out = DocumentKeys.start(address, others);
    ConcernFormat.write(concern, kind, value, out);
    if (concern == Concern.INDEX && kind == RecordKind.LEDGER) {
      ConcernFormat.requireIndex(value, out);
    }
    if (concern == Concern.INDEX && indexRev > 0) {
      out.put("tm:indexRev", indexRev);
    }
    out.put("tm:updatedAtMs", updatedAtMs);
    incarnation.ifPresent(id -> out.put("tm:record", id));
    if (confirmed) {
      out.put(KIND, word(kind));
    }
    seal.ifPresent(id -> out.put("tm:seal", id));
    return DocumentKeys.finish(out, others);
  }
}
