// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.SourceType;
import io.tidemark.objects.TidemarkException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Records as items and back.
 *
 * <p>Items are written in one form and read in three: payloads as maps, and two older forms with a
 * scalar for each pointer, {@code commit_id} and {@code index_id} or {@code commit_address} and
 * {@code index_address}. In both of those {@code status} is a string with {@code status_meta}
 * beside it, and a config is {@code default_context_address} with {@code config_meta}, or {@code
 * config_json} for a graph source.
 */
final class Items {

  private static final AttributeValue SCHEMA = number(2);
  private static final AttributeValue NULL = AttributeValue.fromNul(true);

  /** The attributes of meta that say something about the record. */
  static final List<String> KNOWN_OF_META =
      List.of(
          Attributes.KIND,
          Attributes.RETRACTED,
          Attributes.SOURCE_TYPE,
          Attributes.DEPENDENCIES,
          Attributes.CREATED_AT,
          Attributes.BP_SOURCE,
          Attributes.BRANCHES,
          Attributes.CHILDREN,
          Attributes.UPDATED_AT_MS,
          Attributes.WRITE_ID);

  private final String table;

  /**
   * @param table for messages
   */
  Items(String table) {
    this.table = table;
  }

  static AttributeValue number(long n) {
    return AttributeValue.fromN(Long.toString(n));
  }

  static Map<String, AttributeValue> key(String pk, String sk) {
    return Map.of(Attributes.PK, AttributeValue.fromS(pk), Attributes.SK, AttributeValue.fromS(sk));
  }

  /** The concerns a record of this kind has; only ledgers have a head. */
  static Stream<Layout> concernsOf(Kind kind) {
    return Layout.all().filter(layout -> kind == Kind.LEDGER || layout != Layout.HEAD);
  }

  // Writing.

  /** The item meta of a record. */
  static Map<String, AttributeValue> meta(NameRecord record, String writeId) {
    NameRecord.Meta meta = record.meta();
    Map<String, AttributeValue> item = common(record.address(), Attributes.META, writeId);
    item.put(Attributes.KIND, AttributeValue.fromS(meta.kind().word()));
    item.put(Attributes.NAME, AttributeValue.fromS(record.address().name()));
    item.put(Attributes.BRANCH, AttributeValue.fromS(record.address().branch()));
    item.put(Attributes.RETRACTED, AttributeValue.fromBool(meta.retracted()));
    item.put(Attributes.UPDATED_AT_MS, number(meta.updatedAtMs()));
    item.put(
        Attributes.DEPENDENCIES,
        meta.dependencies().isEmpty()
            ? NULL
            : AttributeValue.fromL(
                meta.dependencies().stream().map(AttributeValue::fromS).toList()));
    meta.sourceType()
        .ifPresent(type -> item.put(Attributes.SOURCE_TYPE, AttributeValue.fromS(type.value())));
    meta.createdAt().ifPresent(at -> item.put(Attributes.CREATED_AT, number(at)));
    meta.sourceBranch()
        .ifPresent(branch -> item.put(Attributes.BP_SOURCE, AttributeValue.fromS(branch)));
    if (meta.branches() > 0) {
      item.put(Attributes.BRANCHES, number(meta.branches()));
    }
    return item;
  }

  /** The item of one concern of a record. */
  static Map<String, AttributeValue> concern(NameRecord record, Layout layout, String writeId) {
    NameRecord.Meta meta = record.meta();
    Map<String, AttributeValue> item =
        concern(record.address(), layout, record.concern(layout.concern()), writeId);
    item.put(Attributes.UPDATED_AT_MS, number(meta.updatedAtMs()));
    if (meta.retracted()) {
      item.put(Attributes.RETRACTED, AttributeValue.fromBool(true));
    }
    if (layout == Layout.INDEX && meta.indexRev() > 0) {
      item.put(Attributes.INDEX_REV, number(meta.indexRev()));
    }
    return item;
  }

  /** The item of a concern in a state, without the time it was written. */
  static Map<String, AttributeValue> concern(
      Address address, Layout layout, ConcernValue value, String writeId) {
    Map<String, AttributeValue> item = common(address, layout.sk(), writeId);
    item.put(layout.watermark(), number(value.watermark()));
    Optional<PayloadForm> form = value.payload().map(payload -> PayloadForm.of(layout, payload));
    item.put(layout.payload(), form.map(PayloadForm::map).orElse(NULL));
    form.flatMap(PayloadForm::text)
        .ifPresent(json -> item.put(layout.text(), AttributeValue.fromS(json)));
    return item;
  }

  private static Map<String, AttributeValue> common(Address address, String sk, String writeId) {
    Map<String, AttributeValue> item = new HashMap<>(key(address.toString(), sk));
    item.put(Attributes.SCHEMA, SCHEMA);
    item.put(Attributes.WRITE_ID, AttributeValue.fromS(writeId));
    return item;
  }

  // Reading.

  static boolean retracted(Map<String, AttributeValue> item) {
    AttributeValue value = item.get(Attributes.RETRACTED);
    return value != null && Boolean.TRUE.equals(value.bool());
  }

  /** The branch that the record of an item meta was made from; empty when there is none. */
  static String sourceBranch(Map<String, AttributeValue> meta) {
    AttributeValue source = meta.get(Attributes.BP_SOURCE);
    return source == null || source.s() == null ? "" : source.s();
  }

  static boolean wroteLast(Map<String, AttributeValue> item, String writeId) {
    AttributeValue value = item.get(Attributes.WRITE_ID);
    return value != null && writeId.equals(value.s());
  }

  /**
   * The record of some items by sort key; empty when meta isn't among them.
   *
   * @throws CorruptRecordException when they can't be understood
   */
  Optional<NameRecord> record(String pk, Map<String, Map<String, AttributeValue>> items) {
    Map<String, AttributeValue> item = items.get(Attributes.META);
    if (item == null) {
      return Optional.empty();
    }
    Cell meta = new Cell(table, pk, Attributes.META, item);
    try {
      Kind kind = kind(meta);
      return Optional.of(
          new NameRecord(
              Address.parse(pk),
              meta(meta, kind, items),
              kind == Kind.LEDGER ? stored(pk, Layout.HEAD, items, kind) : ConcernValue.UNBORN,
              stored(pk, Layout.INDEX, items, kind),
              stored(pk, Layout.STATUS, items, kind),
              stored(pk, Layout.CONFIG, items, kind)));
    } catch (CorruptRecordException e) {
      throw e;
    } catch (TidemarkException e) {
      throw meta.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  private NameRecord.Meta meta(
      Cell meta, Kind kind, Map<String, Map<String, AttributeValue>> items) {
    long updatedAt = 0;
    for (Map.Entry<String, Map<String, AttributeValue>> item : items.entrySet()) {
      Cell cell = new Cell(table, meta.pk(), item.getKey(), item.getValue());
      updatedAt = Math.max(updatedAt, cell.number(Attributes.UPDATED_AT_MS).orElse(0L));
    }
    Map<String, AttributeValue> index = items.getOrDefault(Layout.INDEX.sk(), Map.of());
    return new NameRecord.Meta(
        kind,
        meta.string(Attributes.SOURCE_TYPE).map(SourceType::new),
        meta.strings(Attributes.DEPENDENCIES),
        meta.number(Attributes.CREATED_AT),
        updatedAt,
        retracted(meta.item()),
        meta.string(Attributes.BP_SOURCE),
        (int) Math.min(Integer.MAX_VALUE, Math.max(0, meta.number(Attributes.BRANCHES).orElse(0L))),
        new Cell(table, meta.pk(), Layout.INDEX.sk(), index)
            .number(Attributes.INDEX_REV)
            .orElse(0L));
  }

  private static Kind kind(Cell meta) {
    String word = meta.string(Attributes.KIND).orElse("");
    return Stream.of(Kind.values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(
            () -> meta.corrupt("its kind \"" + word + "\" is neither ledger nor graph_source"));
  }

  private ConcernValue stored(
      String pk, Layout layout, Map<String, Map<String, AttributeValue>> items, Kind kind) {
    Map<String, AttributeValue> item = items.get(layout.sk());
    return item == null ? layout.initial() : value(pk, layout, item, kind);
  }

  /** Whether an item can't be understood without knowing what kind of record it belongs to. */
  static boolean needsKind(Layout layout, Map<String, AttributeValue> item) {
    return layout == Layout.INDEX && layout.older().stream().anyMatch(item::containsKey);
  }

  /**
   * The state that an item says its concern is in.
   *
   * @param kind matters for indices in older forms only
   * @throws CorruptRecordException when it can't be understood
   */
  ConcernValue value(String pk, Layout layout, Map<String, AttributeValue> item, Kind kind) {
    Cell cell = new Cell(table, pk, layout.sk(), item);
    try {
      Optional<Payload> payload = payload(cell, layout, kind);
      long watermark =
          cell.number(layout.watermark())
              .orElseGet(
                  () ->
                      layout == Layout.CONFIG && payload.isPresent()
                          ? 1
                          : layout.initial().watermark());
      if (payload.isEmpty() && layout == Layout.STATUS) {
        return new ConcernValue(watermark, layout.initial().payload());
      }
      return new ConcernValue(watermark, payload);
    } catch (CorruptRecordException e) {
      throw e;
    } catch (TidemarkException | IllegalArgumentException e) {
      throw cell.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  private static Optional<Payload> payload(Cell cell, Layout layout, Kind kind) {
    Optional<String> text = cell.string(layout.text());
    if (text.isPresent()) {
      return text.map(Payload::parse);
    }
    AttributeValue map = cell.item().get(layout.payload());
    if (map != null && map.hasM()) {
      return Optional.of(Payload.of(JsonAttributes.toJson(map)));
    }
    return switch (layout) {
      case HEAD -> pointer(cell, layout).map(id -> head(id, cell));
      case INDEX -> pointer(cell, layout).map(id -> index(id, cell, kind));
      case STATUS -> status(cell);
      case CONFIG -> config(cell);
    };
  }

  private static Optional<String> pointer(Cell cell, Layout layout) {
    cell.requireNothingIn(layout.payload());
    return layout.older().stream().map(cell::string).flatMap(Optional::stream).findFirst();
  }

  private static Payload head(String id, Cell cell) {
    long t = cell.number(Layout.HEAD.watermark()).orElse(0L);
    return Payload.build(json -> json.put("id", id).put("t", t));
  }

  private static Payload index(String id, Cell cell, Kind kind) {
    long t = cell.number(Layout.INDEX.watermark()).orElse(0L);
    return Payload.build(
        json -> {
          if (kind == Kind.GRAPH_SOURCE) {
            json.put("id", id).put("index_t", t);
          } else {
            json.putObject("default").put("id", id).put("t", t).put("rev", 0);
          }
        });
  }

  private static Optional<Payload> status(Cell cell) {
    return cell.string(Layout.STATUS.payload())
        .map(
            state ->
                Payload.build(
                    json -> {
                      json.put("state", state);
                      cell.object("status_meta").ifPresent(json::setAll);
                    }));
  }

  private static Optional<Payload> config(Cell cell) {
    cell.requireNothingIn(Layout.CONFIG.payload());
    Optional<String> context =
        cell.string("default_context_id").or(() -> cell.string("default_context_address"));
    Optional<ObjectNode> meta = cell.object("config_meta");
    if (context.isEmpty() && meta.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Payload.build(
            json -> {
              context.ifPresent(id -> json.put("default_context_id", id));
              meta.ifPresent(json::setAll);
            }));
  }
}
