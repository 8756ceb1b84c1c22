// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** What writers were told, to be compared with what the ledger says. Safe for threads. */
final class AcknowledgedCommits {

  /** A commit of one customer. */
  record AcknowledgedCommit(long commitId, String key, long age) {}

  private final List<AcknowledgedCommit> told = new ArrayList<>();
  private long longestNanos;

  /** Commits a customer, and keeps what came of it. */
  void write(Session session, String key, long age) {
    long start = System.nanoTime();
    Commit commit = session.ensure(Customer.of(key, age)).commit().orElseThrow();
    long took = System.nanoTime() - start;
    add(new AcknowledgedCommit(commit.id(), key, age), took);
  }

  synchronized void add(AcknowledgedCommit one, long nanos) {
    told.add(one);
    longestNanos = Math.max(longestNanos, nanos);
  }

  synchronized long longestMillis() {
    return longestNanos / 1_000_000;
  }

  synchronized List<AcknowledgedCommit> told() {
    return List.copyOf(told);
  }

  /** Every commit was told, and so each id from 1 on once; the state is that of the last ones. */
  void matches(ObjectStore store) {
    assertThat(told().stream().map(AcknowledgedCommit::commitId).sorted().toList())
        .isEqualTo(ids(LedgerDump.of(store).commits().size()));
    Map<String, AcknowledgedCommit> model = new TreeMap<>();
    told().forEach(one -> model.merge(one.key(), one, (a, b) -> later(a, b)));
    assertThat(state(store)).isEqualTo(new HashMap<>(ages(model)));
  }

  /** Every commit that was told is there; others may be, whose writers died before they told. */
  void isKept(ObjectStore store) {
    LedgerObjects objects = new LedgerObjects(store, "");
    ManifestChain manifestChain = new ManifestChain(objects);
    PinnedHead pinnedHead = new HeadCache(objects, manifestChain).refresh();
    Map<Long, String> rows = new HashMap<>();
    new LatestRows(objects, manifestChain)
        .history(
            Models.CUSTOMER,
            pinnedHead,
            0,
            pinnedHead.head().commitId(),
            row -> assertThat(rows.put(row.commitId(), row.identity().toString())).isNull());
    assertThat(rows).hasSize((int) pinnedHead.head().commitId());
    for (AcknowledgedCommit one : told()) {
      assertThat(rows).containsEntry(one.commitId(), one.key());
    }
  }

  private static AcknowledgedCommit later(AcknowledgedCommit a, AcknowledgedCommit b) {
    return a.commitId() > b.commitId() ? a : b;
  }

  private static Map<String, Long> ages(Map<String, AcknowledgedCommit> model) {
    Map<String, Long> ages = new TreeMap<>();
    model.forEach((key, one) -> ages.put(key, one.age()));
    return ages;
  }

  private static List<Long> ids(long count) {
    return LongStream.rangeClosed(1, count).boxed().toList();
  }

  private static Map<String, Long> state(ObjectStore store) {
    LedgerObjects objects = new LedgerObjects(store, "");
    ManifestChain manifestChain = new ManifestChain(objects);
    PinnedHead pinnedHead = new HeadCache(objects, manifestChain).refresh();
    Map<String, Long> state = new HashMap<>();
    RecordType<Customer> type = RecordType.of(Customer.class);
    new LatestRows(objects, manifestChain)
        .forEach(
            Models.CUSTOMER,
            pinnedHead,
            pinnedHead.head().commitId(),
            row -> {
              Customer customer = type.value(row.identity(), row.fieldsJson());
              state.put(customer.id(), customer.age());
            });
    return state;
  }
}
