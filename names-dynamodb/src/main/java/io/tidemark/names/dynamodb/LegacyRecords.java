// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Records of an older table that belong to this one too.
 *
 * <p>They are read where they are until their first change; then they are copied to this table, all
 * items in one transaction, and with them a mark that says that for this address the older table
 * doesn't count any more. The mark outlives the record: one that was purged doesn't come back from
 * the older table. The older table itself is never written.
 */
final class LegacyRecords {

  /** Sort key prefix of a mark; the older table's name follows. */
  static final String MARK = "migrated#";

  private final LegacyTable table;
  private final RequestSender requestSender;
  private final RecordTransactions recordTransactions;
  private final Clock clock;

  LegacyRecords(
      LegacyTable table,
      RequestSender requestSender,
      RecordTransactions recordTransactions,
      Clock clock) {
    this.table = table;
    this.requestSender = requestSender;
    this.recordTransactions = recordTransactions;
    this.clock = clock;
  }

  LegacyTable table() {
    return table;
  }

  /** Returns the sort key of the marks. */
  String mark() {
    return MARK + table.name();
  }

  /**
   * Returns the record in the older table, if it still counts.
   *
   * @param items what this table has under the address, without a record among them
   */
  Optional<NameRecord> find(Address address, Map<String, Map<String, AttributeValue>> items) {
    return item(address, items).map(LegacyItem::record);
  }

  private Optional<LegacyItem> item(
      Address address, Map<String, Map<String, AttributeValue>> items) {
    return items.containsKey(mark()) ? Optional.empty() : table.find(address);
  }

  /**
   * Brings a record over, if it is still in the older table only.
   *
   * @return whether there is one in this table now
   */
  boolean migrate(Address address) {
    Map<String, Map<String, AttributeValue>> items = requestSender.items(address.toString());
    if (items.containsKey(AttributeNames.META)) {
      return true;
    }
    Optional<LegacyItem> item = item(address, items);
    item.ifPresent(this::migrate); // if it fails, somebody else has brought it
    return item.isPresent();
  }

  /** Brings a record over; false when there is one, or was one, already. */
  boolean migrate(LegacyItem item) {
    NameRecord record = item.record();
    String writeId = UUID.randomUUID().toString();
    Map<String, AttributeValue> mark = mark(record.address(), writeId);
    return recordTransactions.create(
        record, new RecordTransactions.Addition(item.unknown(), Optional.of(mark)), writeId);
  }

  /** Sees to it that a record which is about to be removed won't be found in the older table. */
  void hide(Address address) {
    migrate(address);
    boolean marked = !requestSender.item(address.toString(), mark()).isEmpty();
    if (!marked && table.find(address).isPresent()) {
      mark(address);
    }
  }

  /** Marks an address, so that the older table doesn't count for it any more. */
  void mark(Address address) {
    Map<String, AttributeValue> item = mark(address, UUID.randomUUID().toString());
    requestSender.read(
        "mark " + address + " as migrated",
        c -> c.putItem(put -> put.tableName(requestSender.table()).item(item)));
  }

  private Map<String, AttributeValue> mark(Address address, String writeId) {
    Map<String, AttributeValue> item = new HashMap<>(ItemCodec.common(address, mark(), writeId));
    item.put("migrated_at_ms", ItemCodec.number(clock.millis()));
    return item;
  }

  /**
   * Returns the items of the older table from some address on, by address; the whole table is read.
   */
  NavigableMap<String, LegacyItem> list(String prefix, String startAfter) {
    NavigableMap<String, LegacyItem> found = new TreeMap<>();
    try (Stream<LegacyItem> all = table.all()) {
      all.filter(item -> item.addressText().startsWith(prefix))
          .filter(item -> item.addressText().compareTo(startAfter) > 0)
          .forEach(item -> found.merge(item.addressText(), item, LegacyRecords::first));
    }
    return found;
  }

  /** Of two spellings of an address the one that {@link LegacyTable#find} finds. */
  private static LegacyItem first(LegacyItem one, LegacyItem other) {
    return one.alias().equals(one.addressText()) ? one : other;
  }
}
