// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Main document, which makes a record exist: its metadata, and the concerns that have no document
 * of their own. Of a concern that has one, this holds at most the first state.
 *
 * <p>Besides the keys that start with {@code f:}, which other programs know, and those of {@link
 * ConcernFormat}, it has {@code tm:record} (the incarnation), {@code tm:rev}, {@code tm:seal},
 * {@code tm:announced}, {@code tm:createdAt} in seconds, {@code tm:updatedAtMs}, {@code
 * tm:indexRev}, {@code tm:layout} in layout A, {@code tm:retracted} where {@code f:status} doesn't
 * say the same, and, in place of all else, {@code tm:removed}. Keys that aren't known are kept.
 *
 * @param document the document that it was read from, with its version
 * @param record the record that it holds
 * @param layout which documents lie beside it
 * @param incarnation tells this record from earlier records at the same address; empty in documents
 *     of other programs
 * @param rev counts the writes of this document, so that no two versions have the same bytes
 * @param seal the last change that concerned several documents
 * @param announced the one that is under way, when it was announced; empty when it is over
 * @param others keys that aren't known here
 */
@RecordBuilder
record MainDocument(
    Document document,
    NameRecord record,
    DocumentLayout layout,
    Optional<String> incarnation,
    long rev,
    Optional<EditFence> seal,
    Optional<String> announced,
    ObjectNode others)
    implements MainDocumentBuilder.With {

  MainDocument {
    record = record.withRecordId(incarnation);
  }

  private static final String REMOVED = "tm:removed";
  private static final Set<String> LEDGER_CLASSES =
      Set.of("Database", "LedgerSource", "PhysicalDatabase");
  private static final Set<String> SOURCE_CLASSES =
      Set.of("IndexSource", "MappedSource", "VirtualGraphDatabase", "GraphSource");
  private static final Set<String> MAPPED =
      Set.of(SourceType.ICEBERG.value(), SourceType.R2RML.value(), SourceType.JDBC.value());

  /** Returns the first version of a record's document. */
  static MainDocument first(
      Document place, NameRecord record, DocumentLayout documentLayout, String incarnation) {
    return new MainDocument(
        place,
        record,
        documentLayout,
        Optional.of(incarnation),
        1,
        Optional.empty(),
        Optional.empty(),
        DocumentJson.object());
  }

  /** Reads a document; empty when it says that there is no record. */
  static Optional<MainDocument> read(Address address, DocumentLayout found, Document document) {
    if (document.main().isPresent()) {
      return document.main();
    }
    return document
        .json()
        .filter(json -> !json.has(REMOVED))
        .map(json -> document.remember(parse(address, found, document, json)));
  }

  private static MainDocument parse(
      Address address, DocumentLayout found, Document document, ObjectNode json) {
    String key = document.key();
    ObjectNode node = InteropKeyNormalizer.normalise(key, json);
    RecordKind recordKind = kind(key, node);
    NameRecord record =
        new NameRecord(
            address,
            meta(key, recordKind, node),
            ConcernFormat.read(key, Concern.HEAD, recordKind, node),
            ConcernFormat.read(key, Concern.INDEX, recordKind, node),
            ConcernFormat.read(key, Concern.STATUS, recordKind, node),
            ConcernFormat.read(key, Concern.CONFIG, recordKind, node));
    boolean single = node.path("tm:layout").asText().equals("A");
    return new MainDocument(
        document,
        record,
        single ? DocumentLayout.A : found == DocumentLayout.A ? DocumentLayout.B : found,
        DocumentJson.text(key, node, "tm:record"),
        DocumentJson.number(key, node, "tm:rev").orElse(0L),
        EditFence.read(key, node.path("tm:seal")),
        DocumentJson.text(key, node, "tm:announced"),
        others(recordKind, record.meta(), node));
  }

  /** With the types that say nothing here. */
  private static ObjectNode others(RecordKind recordKind, NameRecord.Meta meta, ObjectNode node) {
    Set<String> classes = recordKind == RecordKind.LEDGER ? LEDGER_CLASSES : SOURCE_CLASSES;
    Optional<SourceType> type = meta.sourceType();
    List<String> more =
        types(node).stream()
            .filter(each -> !classes.contains(local(each)) && !each.isBlank())
            .filter(each -> !type.equals(Optional.of(new SourceType(each))))
            .toList();
    return DocumentKeys.withTypes(DocumentKeys.others(node), more);
  }

  /** Returns the document of this record, ready to replace the one that was read. */
  ObjectNode write() {
    RecordKind recordKind = record.meta().kind();
    ObjectNode out = DocumentKeys.start(record.address(), others);
    writeMeta(out);
    for (Concern concern : Concern.values()) {
      ConcernFormat.write(concern, recordKind, record.concern(concern), out);
    }
    writeRest(out);
    return DocumentKeys.finish(out, others);
  }

  /** This document after it was written. */
  MainDocument at(Document now) {
    return now.remember(withDocument(now));
  }

  /** Returns the tombstone that replaces a removed record; it counts as no record. */
  ObjectNode tombstone() {
    ObjectNode out = DocumentJson.object().put(REMOVED, true);
    incarnation.ifPresent(id -> out.put("tm:record", id));
    return out.put("tm:rev", rev + 1);
  }

  /** This document with another record, which is to be its next version. */
  MainDocument next(NameRecord other) {
    return with().record(other).rev(rev + 1).announced(Optional.empty()).build();
  }

  /** This document, with word of an edit that is under way. */
  MainDocument announcing(String id) {
    return with().rev(rev + 1).announced(Optional.of(id)).build();
  }

  /**
   * This document after a change of several. What it says of the index itself goes: the side
   * document says it now, or the seal.
   */
  MainDocument fencedBy(EditFence by) {
    return withoutIndex().with().seal(Optional.of(by)).announced(Optional.empty()).build();
  }

  /**
   * Returns this document after its index was moved out, with a note for readers that looked for
   * the index here before.
   */
  MainDocument withoutIndex() {
    NameRecord without =
        record.withIndex(ConcernValue.UNBORN).withMeta(record.meta().withIndexRev(0));
    return with()
        .record(without)
        .seal(seal.or(() -> Optional.of(EditFence.INDEX_MOVED)))
        .others(DocumentKeys.withoutIndex(others))
        .build();
  }

  /** Returns whether an index is in here, be it in its place or not. */
  boolean holdsIndex() {
    return !record.index().isUnborn() || record.meta().indexRev() > 0;
  }

  private static RecordKind kind(String key, ObjectNode node) {
    List<String> classes = types(node).stream().map(MainDocument::local).toList();
    if (classes.stream().anyMatch(SOURCE_CLASSES::contains) || node.has("f:graphSourceConfig")) {
      return RecordKind.GRAPH_SOURCE;
    }
    if (classes.stream().anyMatch(LEDGER_CLASSES::contains) || node.has("f:ledger")) {
      return RecordKind.LEDGER;
    }
    throw DocumentJson.corrupt(key, "says neither that it is a ledger nor a graph source");
  }

  private static NameRecord.Meta meta(String key, RecordKind recordKind, ObjectNode node) {
    boolean saysRetracted = node.path("f:status").asText().equals("retracted");
    Optional<SourceType> type =
        types(node).stream()
            .filter(
                t -> recordKind == RecordKind.GRAPH_SOURCE && !SOURCE_CLASSES.contains(local(t)))
            .filter(t -> !t.isBlank())
            .findFirst()
            .map(SourceType::new);
    List<String> dependencies = new ArrayList<>();
    node.path("f:graphSourceDependencies").forEach(each -> dependencies.add(each.asText()));
    return new NameRecord.Meta(
        recordKind,
        type,
        dependencies,
        DocumentJson.number(key, node, "tm:createdAt"),
        DocumentJson.number(key, node, "tm:updatedAtMs").orElse(0L),
        node.path("tm:retracted").asBoolean(saysRetracted),
        DocumentJson.text(key, node, "f:sourceBranch"),
        Math.toIntExact(
            Math.min(DocumentJson.number(key, node, "f:branches").orElse(0L), 1L << 30)),
        DocumentJson.number(key, node, "tm:indexRev").orElse(0L));
  }

  private void writeMeta(ObjectNode out) {
    NameRecord.Meta meta = record.meta();
    ArrayNode types = out.putArray("@type");
    if (meta.kind() == RecordKind.LEDGER) {
      types.add("f:Database").add("f:LedgerSource");
      out.putObject("f:ledger").put("@id", record.address().name());
      out.put("f:branch", record.address().branch());
    } else {
      String type = meta.sourceType().map(SourceType::value).orElse("");
      types.add(MAPPED.contains(type) ? "f:MappedSource" : "f:IndexSource");
      meta.sourceType().ifPresent(known -> types.add(known.value()));
      out.put("f:name", record.address().name());
      out.put("f:branch", record.address().branch());
      ArrayNode dependencies = out.putArray("f:graphSourceDependencies");
      meta.dependencies().forEach(dependencies::add);
    }
  }

  private void writeRest(ObjectNode out) {
    NameRecord.Meta meta = record.meta();
    meta.sourceBranch().ifPresent(branch -> out.put("f:sourceBranch", branch));
    if (meta.branches() > 0) {
      out.put("f:branches", meta.branches());
    }
    boolean saysRetracted = out.path("f:status").asText().equals("retracted");
    if (meta.retracted() != saysRetracted) {
      out.put("tm:retracted", meta.retracted());
    }
    if (meta.indexRev() > 0) {
      out.put("tm:indexRev", meta.indexRev());
    }
    if (layout == DocumentLayout.A) {
      out.put("tm:layout", "A");
    }
    meta.createdAt().ifPresent(seconds -> out.put("tm:createdAt", seconds));
    out.put("tm:updatedAtMs", meta.updatedAtMs());
    incarnation.ifPresent(id -> out.put("tm:record", id));
    out.put("tm:rev", rev);
    seal.ifPresent(by -> out.set("tm:seal", by.write()));
    announced.ifPresent(id -> out.put("tm:announced", id));
  }

  private static List<String> types(ObjectNode node) {
    JsonNode type = node.path("@type");
    List<String> types = new ArrayList<>();
    if (type.isTextual()) {
      types.add(type.textValue());
    }
    type.forEach(each -> types.add(each.asText()));
    return types;
  }

  /** {@code LedgerSource} of {@code f:LedgerSource}, and of the same spelled out. */
  private static String local(String type) {
    return type.substring(Math.max(type.lastIndexOf(':'), type.lastIndexOf('#')) + 1);
  }

  /** Returns the state in which a concern is, as far as this document knows. */
  ConcernValue concern(Concern concern) {
    return record.concern(concern);
  }
}
