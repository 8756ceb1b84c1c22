// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.names.Address;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.VersionPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Records of a store, read past those that are damaged.
 *
 * @param read records that match and can be read, in the order of their addresses
 * @param damaged one message for each record that can't be read
 */
record RecordScan(List<NameRecord> read, List<String> damaged) {

  RecordScan {
    read = List.copyOf(read);
    damaged = List.copyOf(damaged);
  }

  /**
   * Scans the records. A listing ends at the first damaged record; after that each record is read
   * separately.
   */
  static RecordScan of(NameService names, RecordFilter filter) {
    try (Stream<NameRecord> records = names.list(filter)) {
      return new RecordScan(records.toList(), List.of());
    } catch (CorruptRecordException e) {
      return oneByOne(names, filter);
    }
  }

  private static RecordScan oneByOne(NameService names, RecordFilter filter) {
    List<NameRecord> read = new ArrayList<>();
    List<String> damaged = new ArrayList<>();
    for (Address address : addresses(names)) {
      if (read.size() == filter.limit()) {
        break;
      }
      try {
        names.find(address).filter(filter::matches).ifPresent(read::add);
      } catch (CorruptRecordException e) {
        damaged.add(String.valueOf(e.getMessage()));
      }
    }
    return new RecordScan(read, damaged);
  }

  private static SortedSet<Address> addresses(NameService names) {
    SortedSet<Address> addresses = new TreeSet<>(Comparator.comparing(Address::toString));
    Optional<String> page = Optional.empty();
    do {
      VersionPage versionPage = names.backend().store().listVersions("", page);
      versionPage.seen().forEach(part -> addresses.add(part.address()));
      page = versionPage.next();
    } while (page.isPresent());
    return addresses;
  }
}
