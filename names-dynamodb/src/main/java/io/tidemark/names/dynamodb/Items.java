// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

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
 * <p>Items are written in the form of a {@link Dialect} and read in all of them: payloads as maps,
 * or as scalars of one spelling or another.
 */
final class Items {

  /** By which others tell this form of items. */
  static final AttributeValue SCHEMA = number(2);

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

  /** Types that Fluree spells in another way. */
  private static final Map<SourceType, String> FLUREE_TYPES =
      Map.of(SourceType.ICEBERG, "f:IcebergMapping", SourceType.R2RML, "f:R2rmlMapping");

  private final String table;
  private final Dialect dialect;

  /**
   * @param table for messages
   * @param dialect in which to write
   */
  Items(String table, Dialect dialect) {
    this.table = table;
    this.dialect = dialect;
  }

  Dialect dialect() {
    return dialect;
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
  Map<String, AttributeValue> meta(NameRecord record, String writeId) {
    NameRecord.Meta meta = record.meta();
    Map<String, AttributeValue> item = common(record.address(), Attributes.META, writeId);
    item.put(Attributes.KIND, AttributeValue.fromS(meta.kind().word()));
    item.put(Attributes.NAME, AttributeValue.fromS(record.address().name()));
    item.put(Attributes.BRANCH, AttributeValue.fromS(record.address().branch()));
    item.put(Attributes.RETRACTED, AttributeValue.fromBool(meta.retracted()));
    item.put(Attributes.UPDATED_AT_MS, number(meta.updatedAtMs()));
    dependencies(meta).ifPresent(value -> item.put(Attributes.DEPENDENCIES, value));
    meta.sourceType()
        .ifPresent(type -> item.put(Attributes.SOURCE_TYPE, AttributeValue.fromS(spelled(type))));
    meta.createdAt().ifPresent(at -> item.put(Attributes.CREATED_AT, number(at)));
    meta.sourceBranch()
        .ifPresent(branch -> item.put(Attributes.BP_SOURCE, AttributeValue.fromS(branch)));
    if (meta.branches() > 0) {
      item.put(Attributes.BRANCHES, number(meta.branches()));
    }
    return item;
  }

  private Optional<AttributeValue> dependencies(NameRecord.Meta meta) {
    boolean scalars = dialect == Dialect.FLUREE;
    if (scalars && meta.kind() == Kind.LEDGER) {
      return Optional.empty();
    }
    return Optional.of(
        meta.dependencies().isEmpty() && !scalars
            ? NULL
            : AttributeValue.fromL(
                meta.dependencies().stream().map(AttributeValue::fromS).toList()));
  }

  private String spelled(SourceType type) {
    return dialect == Dialect.FLUREE ? FLUREE_TYPES.getOrDefault(type, type.value()) : type.value();
  }

  /** The item of one concern of a record. */
  Map<String, AttributeValue> concern(NameRecord record, Layout layout, String writeId) {
    NameRecord.Meta meta = record.meta();
    ConcernValue value = record.concern(layout.concern());
    Map<String, AttributeValue> item = common(record.address(), layout.sk(), writeId);
    item.put(layout.watermark(), number(value.watermark()));
    item.putAll(PayloadForm.of(dialect, layout, meta.kind(), value).attributes());
    item.put(Attributes.UPDATED_AT_MS, number(meta.updatedAtMs()));
    if (meta.retracted()) {
      item.put(Attributes.RETRACTED, AttributeValue.fromBool(true));
    }
    if (layout == Layout.INDEX && meta.indexRev() > 0) {
      item.put(Attributes.INDEX_REV, number(meta.indexRev()));
    }
    return item;
  }

  /** What every item has. */
  static Map<String, AttributeValue> common(Address address, String sk, String writeId) {
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

  /** Whether an item meta is that of a record of this kind. */
  static boolean isOf(Map<String, AttributeValue> meta, Kind kind) {
    AttributeValue value = meta.get(Attributes.KIND);
    return value != null && kind.word().equals(value.s());
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
            .orElse(0L),
        meta.string(Attributes.RECORD_ID));
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
  boolean needsKind(String pk, Layout layout, Map<String, AttributeValue> item) {
    return layout == Layout.INDEX
        && layout.older().stream().anyMatch(item::containsKey)
        && Scalars.exact(new Cell(table, pk, layout.sk(), item), layout).isEmpty();
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

  /**
   * A pointer as a scalar counts more than a map: who writes maps removes it, so somebody who
   * doesn't know about maps came later.
   */
  private static Optional<Payload> payload(Cell cell, Layout layout, Kind kind) {
    Optional<Payload> exact = Scalars.exact(cell, layout);
    if (exact.isPresent()) {
      return exact;
    }
    if (!layout.isPointer() || Scalars.pointer(cell, layout).isEmpty()) {
      Optional<String> text = cell.string(layout.text());
      if (text.isPresent()) {
        return text.map(Payload::parse);
      }
      AttributeValue map = cell.item().get(layout.payload());
      if (map != null && map.hasM()) {
        return Optional.of(Payload.of(JsonAttributes.toJson(map)));
      }
      if (layout != Layout.STATUS) {
        cell.requireNothingIn(layout.payload());
      }
    }
    return Scalars.read(cell, layout, kind);
  }
}
