// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.SourceType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How far a record has come: the watermarks of its concerns, without what they point to. Small
 * enough to keep for every record, and to send to who has to decide what to fetch.
 *
 * <p>Watermarks alone would miss an index built anew at the same {@code t}, a head that was set
 * back, and a record that took the place of another. So each comes with a digest of the payload,
 * the index with its number of publications, and the whole with the time of creation.
 *
 * @param kind what the record stands for
 * @param sourceType what a graph source is
 * @param createdAt seconds since 1970 when it was created, where that is known
 * @param retracted whether it can't be changed at the moment
 * @param indexRev how often an index was published
 * @param head of a graph source {@link Mark#UNBORN}, for good
 */
public record Marks(
    Kind kind,
    Optional<SourceType> sourceType,
    Optional<Long> createdAt,
    boolean retracted,
    long indexRev,
    Mark head,
    Mark index,
    Mark status,
    Mark config) {

  /**
   * One concern.
   *
   * @param watermark as in the record
   * @param digest of the payload; 0 for none
   */
  public record Mark(long watermark, int digest) {
    static final Mark UNBORN = new Mark(0, 0);

    public static Mark of(ConcernValue value) {
      return new Mark(value.watermark(), value.payload().map(Object::hashCode).orElse(0));
    }
  }

  public static Marks of(NameRecord record) {
    NameRecord.Meta meta = record.meta();
    return new Marks(
        meta.kind(),
        meta.sourceType(),
        meta.createdAt(),
        meta.retracted(),
        meta.indexRev(),
        Mark.of(record.head()),
        Mark.of(record.index()),
        Mark.of(record.status()),
        Mark.of(record.config()));
  }

  /** One of them. */
  public Mark of(Concern concern) {
    return switch (concern) {
      case HEAD -> head;
      case INDEX -> index;
      case STATUS -> status;
      case CONFIG -> config;
    };
  }

  /** The concerns that a record of this kind has. */
  public Set<Concern> concerns() {
    Set<Concern> all = EnumSet.allOf(Concern.class);
    if (kind == Kind.GRAPH_SOURCE) {
      all.remove(Concern.HEAD);
    }
    return Collections.unmodifiableSet(all);
  }

  /** The concerns that aren't as they were. */
  Set<Concern> movedSince(Marks before) {
    Set<Concern> moved = EnumSet.noneOf(Concern.class);
    for (Concern concern : concerns()) {
      boolean published = concern == Concern.INDEX && indexRev != before.indexRev;
      if (published || !of(concern).equals(before.of(concern))) {
        moved.add(concern);
      }
    }
    return moved;
  }

  /**
   * Whether these can be of the same record, further on, and not of one that took its place. Dates
   * don't tell what happened within a second; but what nothing sets back but a new record does.
   */
  boolean continues(Marks before) {
    boolean dated = createdAt.isPresent() && before.createdAt.isPresent();
    return kind == before.kind
        && (!dated || createdAt.equals(before.createdAt))
        && status.watermark() >= before.status.watermark()
        && config.watermark() >= before.config.watermark();
  }

  /** As one of the {@link Subscriptions}. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", kind.word());
    sourceType.ifPresent(type -> json.put("source_type", type.value()));
    if (kind == Kind.LEDGER) {
      json.put("commit_t", head.watermark());
    }
    json.put("index_t", index.watermark());
    json.put("status_v", status.watermark());
    json.put("config_v", config.watermark());
    json.put("index_rev", indexRev);
    if (retracted) {
      json.put("retracted", true);
    }
    createdAt.ifPresent(at -> json.put("created_at", at));
    ObjectNode digests = json.putObject("digests");
    for (Concern concern : concerns()) {
      digests.put(concern.word(), of(concern).digest());
    }
    return json;
  }

  /**
   * Reads {@link #toJson}. Marks without digests, as other programs keep them, differ from any, so
   * that everything is told anew.
   */
  static Marks read(JsonNode json) {
    JsonNode digests = json.path("digests");
    JsonNode type = json.path("source_type");
    JsonNode created = json.path("created_at");
    Kind kind =
        List.of(Kind.values()).stream()
            .filter(k -> k.word().equals(json.path("kind").asText()))
            .findFirst()
            .orElse(Kind.LEDGER);
    return new Marks(
        kind,
        type.isTextual() ? Optional.of(new SourceType(type.textValue())) : Optional.empty(),
        created.isIntegralNumber() ? Optional.of(created.longValue()) : Optional.empty(),
        json.path("retracted").asBoolean(false),
        json.path("index_rev").asLong(0),
        mark(json.path("commit_t"), digests.path("head")),
        mark(json.path("index_t"), digests.path("index")),
        mark(json.path("status_v"), digests.path("status")),
        mark(json.path("config_v"), digests.path("config")));
  }

  private static Mark mark(JsonNode watermark, JsonNode digest) {
    return new Mark(watermark.asLong(0), digest.asInt(0));
  }
}
