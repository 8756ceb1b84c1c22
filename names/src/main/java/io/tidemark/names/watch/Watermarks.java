// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Position of a record: the watermarks of its concerns, and the ids that head and index point to.
 * It is small enough to keep for every record, and to send to a client that decides what to fetch.
 * The rest of the payloads is left out: a status or a config may hold secrets.
 *
 * <p>Watermarks alone would miss an index built anew at the same {@code t}, a head that was set
 * back, and a record that took the place of another. So each comes with a digest of the payload,
 * the index with its number of publications, and the whole with the record's id or, where that
 * isn't known, the time of creation.
 *
 * @param recordId tells the record from earlier records at the same address, where that is known
 * @param kind the kind of the record
 * @param sourceType the type of a graph source
 * @param createdAt seconds since 1970 when it was created, where that is known
 * @param retracted whether it can't be changed at the moment
 * @param indexRev how often an index was published
 * @param head of a graph source {@link ConcernWatermark#UNBORN}, for good
 */
public record Watermarks(
    Optional<String> recordId,
    RecordKind kind,
    Optional<SourceType> sourceType,
    Optional<Long> createdAt,
    boolean retracted,
    long indexRev,
    ConcernWatermark head,
    ConcernWatermark index,
    ConcernWatermark status,
    ConcernWatermark config) {

  /**
   * Watermark of one concern.
   *
   * @param watermark as in the record
   * @param digest {@link Payload#digest} of the payload; empty text for none
   * @param id what a head, or the default graph of an index, points to; empty for status and config
   */
  public record ConcernWatermark(long watermark, String digest, Optional<String> id) {
    static final ConcernWatermark UNBORN = new ConcernWatermark(0, "", Optional.empty());

    /** Digest of a mark that an earlier version kept, which had 32 bits and no ids. */
    private static final String UNKNOWN = "?";

    /** Returns the mark of a concern without the id that it points to. */
    public static ConcernWatermark of(ConcernValue value) {
      return of(value, Optional.empty());
    }

    static ConcernWatermark of(ConcernValue value, Optional<String> id) {
      return new ConcernWatermark(
          value.watermark(), value.payload().map(Payload::digest).orElse(""), id);
    }

    /** Returns whether the concern hasn't moved since, as far as the earlier mark can tell. */
    boolean isUnchangedSince(ConcernWatermark before) {
      return before.digest.equals(UNKNOWN) ? watermark == before.watermark : equals(before);
    }

    /** Returns whether the concern was in this very state. */
    boolean isOf(ConcernValue value) {
      ConcernWatermark other = of(value);
      return watermark == other.watermark && digest.equals(other.digest);
    }
  }

  /** Returns the marks of a record. */
  public static Watermarks of(NameRecord record) {
    NameRecord.Meta meta = record.meta();
    return new Watermarks(
        meta.recordId(),
        meta.kind(),
        meta.sourceType(),
        meta.createdAt(),
        meta.retracted(),
        meta.indexRev(),
        ConcernWatermark.of(record.head(), record.commit().id()),
        ConcernWatermark.of(record.index(), record.indexed().id()),
        ConcernWatermark.of(record.status()),
        ConcernWatermark.of(record.config()));
  }

  /** Returns the watermark of one concern. */
  public ConcernWatermark of(Concern concern) {
    return switch (concern) {
      case HEAD -> head;
      case INDEX -> index;
      case STATUS -> status;
      case CONFIG -> config;
    };
  }

  /** Returns the concerns that a record of this kind has. */
  public Set<Concern> concerns() {
    Set<Concern> all = EnumSet.allOf(Concern.class);
    if (kind == RecordKind.GRAPH_SOURCE) {
      all.remove(Concern.HEAD);
    }
    return Collections.unmodifiableSet(all);
  }

  /** Returns the concerns that aren't as they were. */
  Set<Concern> movedSince(Watermarks before) {
    Set<Concern> moved = EnumSet.noneOf(Concern.class);
    for (Concern concern : concerns()) {
      boolean published = concern == Concern.INDEX && indexRev != before.indexRev;
      if (published || !of(concern).isUnchangedSince(before.of(concern))) {
        moved.add(concern);
      }
    }
    return moved;
  }

  /**
   * Returns whether these can be of the same record, further on, and not of one that took its
   * place. Without ids, dates don't tell what happened within a second; but what nothing sets back
   * but a new record does.
   */
  boolean canFollow(Watermarks before) {
    if (recordId.isPresent() && before.recordId.isPresent()) {
      return recordId.equals(before.recordId);
    }
    boolean dated = createdAt.isPresent() && before.createdAt.isPresent();
    return kind == before.kind
        && (!dated || createdAt.equals(before.createdAt))
        && status.watermark() >= before.status.watermark()
        && config.watermark() >= before.config.watermark();
  }

  /** Returns the JSON form for a {@link WatchCheckpoint}. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", kind.text());
    sourceType.ifPresent(type -> json.put("source_type", type.value()));
    if (kind == RecordKind.LEDGER) {
      json.put("commit_t", head.watermark());
      head.id().ifPresent(id -> json.put("commit_id", id));
    }
    json.put("index_t", index.watermark());
    index.id().ifPresent(id -> json.put("index_id", id));
    json.put("status_v", status.watermark());
    json.put("config_v", config.watermark());
    json.put("index_rev", indexRev);
    if (retracted) {
      json.put("retracted", true);
    }
    createdAt.ifPresent(at -> json.put("created_at", at));
    recordId.ifPresent(id -> json.put("record_id", id));
    ObjectNode digests = json.putObject("digests");
    for (Concern concern : concerns()) {
      digests.put(concern.text(), of(concern).digest());
    }
    return json;
  }

  /**
   * Reads {@link #toJson}. Marks without digests, as other programs keep them, differ from any, so
   * that everything is told anew. Of digests that are numbers, as an earlier version kept them,
   * nothing follows; their concerns have moved if their watermarks have.
   */
  static Watermarks read(JsonNode json) {
    JsonNode digests = json.path("digests");
    JsonNode type = json.path("source_type");
    JsonNode created = json.path("created_at");
    RecordKind recordKind =
        List.of(RecordKind.values()).stream()
            .filter(k -> k.text().equals(json.path("kind").asText()))
            .findFirst()
            .orElse(RecordKind.LEDGER);
    return new Watermarks(
        Optional.ofNullable(json.path("record_id").textValue()),
        recordKind,
        type.isTextual() ? Optional.of(new SourceType(type.textValue())) : Optional.empty(),
        created.isIntegralNumber() ? Optional.of(created.longValue()) : Optional.empty(),
        json.path("retracted").asBoolean(false),
        json.path("index_rev").asLong(0),
        mark(json.path("commit_t"), digests.path("head"), json.path("commit_id")),
        mark(json.path("index_t"), digests.path("index"), json.path("index_id")),
        mark(json.path("status_v"), digests.path("status"), MissingNode.getInstance()),
        mark(json.path("config_v"), digests.path("config"), MissingNode.getInstance()));
  }

  private static ConcernWatermark mark(JsonNode watermark, JsonNode digest, JsonNode id) {
    return new ConcernWatermark(
        watermark.asLong(0),
        digest.isNumber() ? ConcernWatermark.UNKNOWN : digest.asText(),
        Optional.ofNullable(id.textValue()));
  }
}
