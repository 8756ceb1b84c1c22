// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
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
final class ItemCodec {

  /** Schema version by which other programs recognise this form of items. */
  static final AttributeValue SCHEMA = number(2);

  private static final AttributeValue NULL = AttributeValue.fromNul(true);

  /** The attributes of meta that say something about the record. */
  static final List<String> KNOWN_OF_META =
      List.of(
          AttributeNames.KIND,
          AttributeNames.RETRACTED,
          AttributeNames.SOURCE_TYPE,
          AttributeNames.DEPENDENCIES,
          AttributeNames.CREATED_AT,
          AttributeNames.BP_SOURCE,
          AttributeNames.BRANCHES,
          AttributeNames.CHILDREN,
          AttributeNames.UPDATED_AT_MS,
          AttributeNames.WRITE_ID);

  /** Types that Fluree spells in another way. */
  private static final Map<SourceType, String> FLUREE_TYPES =
      Map.of(SourceType.ICEBERG, "f:IcebergMapping", SourceType.R2RML, "f:R2rmlMapping");

  private final String table;
  private final Dialect dialect;

  /**
   * @param table for messages
   * @param dialect in which to write
   */
  ItemCodec(String table, Dialect dialect) {
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
    return Map.of(
        AttributeNames.PK, AttributeValue.fromS(pk), AttributeNames.SK, AttributeValue.fromS(sk));
  }

  /** Returns the concerns a record of this kind has; only ledgers have a head. */
  static Stream<ConcernAttributes> concernsOf(RecordKind recordKind) {
    return ConcernAttributes.all()
        .filter(
            concernAttributes ->
                recordKind == RecordKind.LEDGER || concernAttributes != ConcernAttributes.HEAD);
  }

  // Writing.

  /** Returns the {@code meta} item of a record. */
  Map<String, AttributeValue> meta(NameRecord record, String writeId) {
    NameRecord.Meta meta = record.meta();
    Map<String, AttributeValue> item = common(record.address(), AttributeNames.META, writeId);
    item.put(AttributeNames.KIND, AttributeValue.fromS(meta.kind().text()));
    item.put(AttributeNames.NAME, AttributeValue.fromS(record.address().name()));
    item.put(AttributeNames.BRANCH, AttributeValue.fromS(record.address().branch()));
    item.put(AttributeNames.RETRACTED, AttributeValue.fromBool(meta.retracted()));
    item.put(AttributeNames.UPDATED_AT_MS, number(meta.updatedAtMs()));
    dependencies(meta).ifPresent(value -> item.put(AttributeNames.DEPENDENCIES, value));
    meta.sourceType()
        .ifPresent(
            type -> item.put(AttributeNames.SOURCE_TYPE, AttributeValue.fromS(spelled(type))));
    meta.createdAt().ifPresent(at -> item.put(AttributeNames.CREATED_AT, number(at)));
    meta.sourceBranch()
        .ifPresent(branch -> item.put(AttributeNames.BP_SOURCE, AttributeValue.fromS(branch)));
    if (meta.branches() > 0) {
      item.put(AttributeNames.BRANCHES, number(meta.branches()));
    }
    return item;
  }

  private Optional<AttributeValue> dependencies(NameRecord.Meta meta) {
    boolean scalars = dialect == Dialect.FLUREE;
    if (scalars && meta.kind() == RecordKind.LEDGER) {
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

  /** Returns the item of one concern of a record. */
  Map<String, AttributeValue> concern(
      NameRecord record, ConcernAttributes concernAttributes, String writeId) {
    NameRecord.Meta meta = record.meta();
    ConcernValue value = record.concern(concernAttributes.concern());
    Map<String, AttributeValue> item = common(record.address(), concernAttributes.sk(), writeId);
    item.put(concernAttributes.watermark(), number(value.watermark()));
    item.putAll(PayloadAttributes.of(dialect, concernAttributes, meta.kind(), value).attributes());
    item.put(AttributeNames.UPDATED_AT_MS, number(meta.updatedAtMs()));
    if (meta.retracted()) {
      item.put(AttributeNames.RETRACTED, AttributeValue.fromBool(true));
    }
    if (concernAttributes == ConcernAttributes.INDEX && meta.indexRev() > 0) {
      item.put(AttributeNames.INDEX_REV, number(meta.indexRev()));
    }
    return item;
  }

  /** Returns the attributes that every item has. */
  static Map<String, AttributeValue> common(Address address, String sk, String writeId) {
    Map<String, AttributeValue> item = new HashMap<>(key(address.toString(), sk));
    item.put(AttributeNames.SCHEMA, SCHEMA);
    item.put(AttributeNames.WRITE_ID, AttributeValue.fromS(writeId));
    return item;
  }

  // Reading.

  static boolean retracted(Map<String, AttributeValue> item) {
    AttributeValue value = item.get(AttributeNames.RETRACTED);
    return value != null && Boolean.TRUE.equals(value.bool());
  }

  /** Returns whether an item meta is that of a record of this kind. */
  static boolean isOfKind(Map<String, AttributeValue> meta, RecordKind recordKind) {
    AttributeValue value = meta.get(AttributeNames.KIND);
    return value != null && recordKind.text().equals(value.s());
  }

  static boolean isLastWrite(Map<String, AttributeValue> item, String writeId) {
    AttributeValue value = item.get(AttributeNames.WRITE_ID);
    return value != null && writeId.equals(value.s());
  }

  /**
   * The record of some items by sort key; empty when meta isn't among them.
   *
   * @throws CorruptRecordException when they can't be understood
   */
  Optional<NameRecord> record(String pk, Map<String, Map<String, AttributeValue>> items) {
    Map<String, AttributeValue> item = items.get(AttributeNames.META);
    if (item == null) {
      return Optional.empty();
    }
    ItemReader meta = new ItemReader(table, pk, AttributeNames.META, item);
    try {
      RecordKind recordKind = kind(meta);
      return Optional.of(
          new NameRecord(
              Address.parse(pk),
              meta(meta, recordKind, items),
              recordKind == RecordKind.LEDGER
                  ? stored(pk, ConcernAttributes.HEAD, items, recordKind)
                  : ConcernValue.UNBORN,
              stored(pk, ConcernAttributes.INDEX, items, recordKind),
              stored(pk, ConcernAttributes.STATUS, items, recordKind),
              stored(pk, ConcernAttributes.CONFIG, items, recordKind)));
    } catch (CorruptRecordException e) {
      throw e;
    } catch (TidemarkException e) {
      throw meta.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  private NameRecord.Meta meta(
      ItemReader meta, RecordKind recordKind, Map<String, Map<String, AttributeValue>> items) {
    long updatedAt = 0;
    for (Map.Entry<String, Map<String, AttributeValue>> item : items.entrySet()) {
      ItemReader itemReader = new ItemReader(table, meta.pk(), item.getKey(), item.getValue());
      updatedAt = Math.max(updatedAt, itemReader.number(AttributeNames.UPDATED_AT_MS).orElse(0L));
    }
    Map<String, AttributeValue> index = items.getOrDefault(ConcernAttributes.INDEX.sk(), Map.of());
    return new NameRecord.Meta(
        recordKind,
        meta.string(AttributeNames.SOURCE_TYPE).map(SourceType::new),
        meta.strings(AttributeNames.DEPENDENCIES),
        meta.number(AttributeNames.CREATED_AT),
        updatedAt,
        retracted(meta.item()),
        meta.string(AttributeNames.BP_SOURCE),
        (int)
            Math.min(
                Integer.MAX_VALUE, Math.max(0, meta.number(AttributeNames.BRANCHES).orElse(0L))),
        new ItemReader(table, meta.pk(), ConcernAttributes.INDEX.sk(), index)
            .number(AttributeNames.INDEX_REV)
            .orElse(0L),
        meta.string(AttributeNames.RECORD_ID));
  }

  private static RecordKind kind(ItemReader meta) {
    String word = meta.string(AttributeNames.KIND).orElse("");
    return Stream.of(RecordKind.values())
        .filter(recordKind -> recordKind.text().equals(word))
        .findFirst()
        .orElseThrow(
            () -> meta.corrupt("its kind \"" + word + "\" is neither ledger nor graph_source"));
  }

  private ConcernValue stored(
      String pk,
      ConcernAttributes concernAttributes,
      Map<String, Map<String, AttributeValue>> items,
      RecordKind recordKind) {
    Map<String, AttributeValue> item = items.get(concernAttributes.sk());
    return item == null
        ? concernAttributes.initial()
        : value(pk, concernAttributes, item, recordKind);
  }

  /**
   * Returns whether an item can't be understood without knowing what kind of record it belongs to.
   */
  boolean needsKind(
      String pk, ConcernAttributes concernAttributes, Map<String, AttributeValue> item) {
    return concernAttributes == ConcernAttributes.INDEX
        && concernAttributes.legacyPayloadAttributes().stream().anyMatch(item::containsKey)
        && FlureeScalars.exact(
                new ItemReader(table, pk, concernAttributes.sk(), item), concernAttributes)
            .isEmpty();
  }

  /**
   * Returns the state that an item says its concern is in.
   *
   * @param recordKind matters for indices in older forms only
   * @throws CorruptRecordException when it can't be understood
   */
  ConcernValue value(
      String pk,
      ConcernAttributes concernAttributes,
      Map<String, AttributeValue> item,
      RecordKind recordKind) {
    ItemReader itemReader = new ItemReader(table, pk, concernAttributes.sk(), item);
    try {
      Optional<Payload> payload = payload(itemReader, concernAttributes, recordKind);
      long watermark =
          itemReader
              .number(concernAttributes.watermark())
              .orElseGet(
                  () ->
                      concernAttributes == ConcernAttributes.CONFIG && payload.isPresent()
                          ? 1
                          : concernAttributes.initial().watermark());
      if (payload.isEmpty() && concernAttributes == ConcernAttributes.STATUS) {
        return new ConcernValue(watermark, concernAttributes.initial().payload());
      }
      return new ConcernValue(watermark, payload);
    } catch (CorruptRecordException e) {
      throw e;
    } catch (TidemarkException | IllegalArgumentException e) {
      throw itemReader.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Returns the payload of an item. A pointer as a scalar takes precedence over a map: a program
   * that writes maps removes the scalar, so one that doesn't know about maps has written later.
   */
  private static Optional<Payload> payload(
      ItemReader itemReader, ConcernAttributes concernAttributes, RecordKind recordKind) {
    Optional<Payload> exact = FlureeScalars.exact(itemReader, concernAttributes);
    if (exact.isPresent()) {
      return exact;
    }
    if (!concernAttributes.isPointer()
        || FlureeScalars.pointer(itemReader, concernAttributes).isEmpty()) {
      Optional<String> text = itemReader.string(concernAttributes.text());
      if (text.isPresent()) {
        return text.map(Payload::parse);
      }
      AttributeValue map = itemReader.item().get(concernAttributes.payload());
      if (map != null && map.hasM()) {
        return Optional.of(Payload.of(JsonAttributes.toJson(map)));
      }
      if (concernAttributes != ConcernAttributes.STATUS) {
        itemReader.requireNothingIn(concernAttributes.payload());
      }
    }
    return FlureeScalars.read(itemReader, concernAttributes, recordKind);
  }
}
