// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Kind;
import io.tidemark.names.Migrated;
import io.tidemark.names.Migrated.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.TidemarkException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Converts all there is: first what lies in the older table only, then the items of this table that
 * are in another form than the one that is written.
 */
final class Migration {

  private static final String AHEAD =
      "it is ahead of the newer record, so some program still writes to the older table; stop"
          + " it, and push what is newer there to this one";

  private final Requests requests;
  private final Items items;
  private final Optional<OlderRecords> older;

  Migration(Requests requests, Items items, Optional<OlderRecords> older) {
    this.requests = requests;
    this.items = items;
    this.older = older;
  }

  Stream<Migrated> run(MigrationMode mode) {
    Stream<Migrated> brought =
        older
            .map(
                records ->
                    records.table().all().flatMap(item -> bring(records, item, mode).stream()))
            .orElseGet(Stream::empty);
    return Stream.concat(brought, new Rewriting(requests, items).run(mode));
  }

  /** What became of an item of the older table; empty when that was settled before. */
  private Optional<Migrated> bring(OlderRecords records, OlderItem item, MigrationMode mode) {
    Optional<Address> to = address(item);
    try {
      NameRecord record = item.record();
      requireOnly(records.table(), item, record.address());
      Map<String, Map<String, AttributeValue>> there = requests.items(record.address().toString());
      Optional<NameRecord> here = items.record(record.address().toString(), there);
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
      if (mode == MigrationMode.APPLY && !records.bring(item)) {
        return Optional.empty(); // somebody else has just brought it
      }
      return Optional.of(line(records, item, to, Outcome.CONVERTED, kept(item.unknown().keySet())));
    } catch (CorruptRecordException | InvalidPayloadException e) {
      return Optional.of(line(records, item, to, Outcome.FAILED, said(e)));
    }
  }

  /** Whether what is in the older table has gone further than the record here. */
  private static boolean isAhead(NameRecord older, NameRecord here) {
    if (older.meta().kind() != here.meta().kind()) {
      return false;
    }
    return older.meta().kind() == Kind.LEDGER
        ? older.head().watermark() > here.head().watermark()
        : older.index().watermark() > here.index().watermark();
  }

  /** Two spellings of one address can't both be brought over. */
  private static void requireOnly(OlderTable table, OlderItem item, Address address) {
    if (item.alias().equals(address.toString())) {
      return; // which is looked for first
    }
    Optional<OlderItem> found = table.find(address);
    if (found.isPresent() && !found.get().alias().equals(item.alias())) {
      throw item.cell()
          .corrupt(
              address + " is also what " + found.get().alias() + " is, which is taken instead");
    }
  }

  private static Optional<Address> address(OlderItem item) {
    try {
      return Optional.of(Address.parse(item.addressText()));
    } catch (InvalidAddressException e) {
      return Optional.empty(); // reading the record says why
    }
  }

  private static String kept(Set<String> attributes) {
    return attributes.isEmpty() ? "" : "kept on meta: " + String.join(", ", attributes);
  }

  static String said(TidemarkException e) {
    return String.valueOf(e.getMessage());
  }

  private static Migrated line(
      OlderRecords records, OlderItem item, Optional<Address> to, Outcome outcome, String note) {
    return new Migrated(
        records.table().name() + " " + item.alias(), item.form(), to, outcome, note);
  }
}
