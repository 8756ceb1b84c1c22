// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.RecordKind;
import io.tidemark.objects.TidemarkException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Migration of all records: first what lies in the older table only, then the items of this table
 * that are in another form than the one that is written.
 */
final class TableMigration {

  private static final String AHEAD =
      "it is ahead of the newer record, so some program still writes to the older table; stop"
          + " it, and push what is newer there to this one";

  private final RequestSender requestSender;
  private final ItemCodec itemCodec;
  private final Optional<LegacyRecords> older;

  TableMigration(RequestSender requestSender, ItemCodec itemCodec, Optional<LegacyRecords> older) {
    this.requestSender = requestSender;
    this.itemCodec = itemCodec;
    this.older = older;
  }

  Stream<MigrationEntry> run(MigrationMode mode) {
    Stream<MigrationEntry> brought =
        older
            .map(
                records ->
                    records.table().all().flatMap(item -> migrate(records, item, mode).stream()))
            .orElseGet(Stream::empty);
    return Stream.concat(brought, new ItemRewriter(requestSender, itemCodec).run(mode));
  }

  /**
   * Migrates an item of the older table, and returns the outcome; empty when it was migrated
   * before.
   */
  private Optional<MigrationEntry> migrate(
      LegacyRecords records, LegacyItem item, MigrationMode mode) {
    Optional<Address> to = address(item);
    try {
      NameRecord record = item.record();
      requireOnly(records.table(), item, record.address());
      Map<String, Map<String, AttributeValue>> there =
          requestSender.items(record.address().toString());
      Optional<NameRecord> here = itemCodec.record(record.address().toString(), there);
      if (here.filter(newer -> isAhead(record, newer)).isPresent()) {
        return Optional.of(line(records, item, to, Outcome.FAILED, AHEAD));
      }
      if (there.containsKey(records.mark())) {
        return Optional.empty();
      }
      if (here.isPresent()) {
        if (mode == MigrationMode.APPLY) {
          records.mark(record.address());
        }
        return Optional.of(line(records, item, to, Outcome.SUPERSEDED, "the newer record stays"));
      }
      if (mode == MigrationMode.APPLY && !records.migrate(item)) {
        return Optional.empty(); // somebody else has just brought it
      }
      return Optional.of(line(records, item, to, Outcome.CONVERTED, kept(item.unknown().keySet())));
    } catch (CorruptRecordException | InvalidPayloadException e) {
      return Optional.of(line(records, item, to, Outcome.FAILED, messageOf(e)));
    }
  }

  /** Returns whether what is in the older table has gone further than the record here. */
  private static boolean isAhead(NameRecord older, NameRecord here) {
    if (older.meta().kind() != here.meta().kind()) {
      return false;
    }
    return older.meta().kind() == RecordKind.LEDGER
        ? older.head().watermark() > here.head().watermark()
        : older.index().watermark() > here.index().watermark();
  }

  /** Two spellings of one address can't both be brought over. */
  private static void requireOnly(LegacyTable table, LegacyItem item, Address address) {
    if (item.alias().equals(address.toString())) {
      return; // which is looked for first
    }
    Optional<LegacyItem> found = table.find(address);
    if (found.isPresent() && !found.get().alias().equals(item.alias())) {
      throw item.cell()
          .corrupt(
              address + " is also what " + found.get().alias() + " is, which is taken instead");
    }
  }

  private static Optional<Address> address(LegacyItem item) {
    try {
      return Optional.of(Address.parse(item.addressText()));
    } catch (InvalidAddressException e) {
      return Optional.empty(); // reading the record says why
    }
  }

  private static String kept(Set<String> attributes) {
    return attributes.isEmpty() ? "" : "kept on meta: " + String.join(", ", attributes);
  }

  static String messageOf(TidemarkException e) {
    return String.valueOf(e.getMessage());
  }

  private static MigrationEntry line(
      LegacyRecords records, LegacyItem item, Optional<Address> to, Outcome outcome, String note) {
    return new MigrationEntry(
        records.table().name() + " " + item.alias(), item.form(), to, outcome, note);
  }
}
