// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.cli.terminal.Plural;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.UnfinishedDrops;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Check that no record is damaged, which also finds unfinished drops. */
final class RecordsCheck {

  private static final int MOST_RECORDS = 10_000;
  private static final String DAMAGED = "put the record back from a copy of the store, or purge it";

  private static final String UNREADABLE = "check --data, and the credentials for it";

  private RecordsCheck() {}

  static List<Diagnosis> of(NameService names) {
    RecordScan scan;
    try {
      scan = RecordScan.of(names, RecordFilter.all().atMost(MOST_RECORDS));
    } catch (TidemarkException e) {
      return List.of(Diagnosis.failure("records", String.valueOf(e.getMessage()), UNREADABLE));
    }
    List<NameRecord> read = scan.read();
    boolean more = read.size() == MOST_RECORDS;
    List<Diagnosis> found = new ArrayList<>();
    scan.damaged().forEach(each -> found.add(Diagnosis.failure("records", each, DAMAGED)));
    found.add(
        Diagnosis.ok(
            found.isEmpty() ? "records" : "other records",
            (more ? "the first " : "") + Plural.of(read.size(), "record") + " can be read"));
    families(read, more).forEach((name, family) -> found.addAll(drops(name, family)));
    return found;
  }

  /** Returns the ledgers by name; without the last one if some of its branches may be missing. */
  private static Map<String, List<NameRecord>> families(List<NameRecord> read, boolean more) {
    Map<String, List<NameRecord>> families =
        read.stream()
            .filter(record -> record.meta().kind() == RecordKind.LEDGER)
            .collect(
                Collectors.groupingBy(
                    record -> record.address().name(), TreeMap::new, Collectors.toList()));
    if (more) {
      families.remove(read.get(read.size() - 1).address().name());
    }
    return families;
  }

  private static List<Diagnosis> drops(String name, List<NameRecord> family) {
    UnfinishedDrops drops = UnfinishedDrops.of(family);
    List<Diagnosis> found = new ArrayList<>();
    String what = "branches of " + name;
    String finish = "finish it with 'tidemark branch drop " + name + " --unfinished'";
    if (!drops.waiting().isEmpty()) {
      String detail = "the drop of " + texts(drops.waiting()) + " was broken off";
      found.add(Diagnosis.warning(what, detail, finish));
    } else if (!drops.miscounted().isEmpty()) {
      String detail =
          "a drop or creation was broken off: " + texts(drops.miscounted()) + " miscounts them";
      found.add(Diagnosis.warning(what, detail, finish));
    }
    if (!drops.retracted().isEmpty()) {
      found.add(
          Diagnosis.warning(
              what,
              texts(drops.retracted()) + " is retracted and has no branches",
              "if it was to be dropped with its last branch, which earlier versions didn't write"
                  + " down, drop it with 'tidemark branch drop'; else leave it"));
    }
    return found;
  }

  private static String texts(List<Address> addresses) {
    return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
  }
}
