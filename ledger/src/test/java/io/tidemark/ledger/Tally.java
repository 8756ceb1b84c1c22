// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** What writers were told, to be compared with what the ledger says. Safe for threads. */
final class Tally {

  /** A commit of one customer. */
  record Told(long commitId, String key, long age) {}

  private final List<Told> told = new ArrayList<>();
  private long longestNanos;

  /** Commits a customer, and keeps what came of it. */
  void write(Session session, String key, long age) {
    long start = System.nanoTime();
    Commit commit = session.ensure(Customer.of(key, age)).commit().orElseThrow();
    long took = System.nanoTime() - start;
    add(new Told(commit.id(), key, age), took);
  }

  synchronized void add(Told one, long nanos) {
    told.add(one);
    longestNanos = Math.max(longestNanos, nanos);
  }

  synchronized long longestMillis() {
    return longestNanos / 1_000_000;
  }

  synchronized List<Told> told() {
    return List.copyOf(told);
  }

  /** Every commit was told, and so each id from 1 on once; the state is that of the last ones. */
  void matches(ObjectStore store) {
    assertThat(told().stream().map(Told::commitId).sorted().toList())
        .isEqualTo(ids(Account.of(store).commits().size()));
    Map<String, Told> model = new TreeMap<>();
    told().forEach(one -> model.merge(one.key(), one, (a, b) -> later(a, b)));
    assertThat(state(store)).isEqualTo(new HashMap<>(ages(model)));
  }

  /** Every commit that was told is there; others may be, whose writers died before they told. */
  void isKept(ObjectStore store) {
    LedgerObjects objects = new LedgerObjects(store, "");
    Chain chain = new Chain(objects);
    Base base = new Heads(objects, chain).refresh();
    Map<Long, String> rows = new HashMap<>();
    new LatestRows(objects, chain)
        .history(
            Models.CUSTOMER,
            base,
            0,
            base.head().commitId(),
            row -> assertThat(rows.put(row.commitId(), row.identity().toString())).isNull());
    assertThat(rows).hasSize((int) base.head().commitId());
    for (Told one : told()) {
      assertThat(rows).containsEntry(one.commitId(), one.key());
    }
  }

  private static Told later(Told a, Told b) {
    return a.commitId() > b.commitId() ? a : b;
  }

  private static Map<String, Long> ages(Map<String, Told> model) {
    Map<String, Long> ages = new TreeMap<>();
    model.forEach((key, one) -> ages.put(key, one.age()));
    return ages;
  }

  private static List<Long> ids(long count) {
    return LongStream.rangeClosed(1, count).boxed().toList();
  }

  private static Map<String, Long> state(ObjectStore store) {
    LedgerObjects objects = new LedgerObjects(store, "");
    Chain chain = new Chain(objects);
    Base base = new Heads(objects, chain).refresh();
    Map<String, Long> state = new HashMap<>();
    RecordType<Customer> type = RecordType.of(Customer.class);
    new LatestRows(objects, chain)
        .forEach(
            Models.CUSTOMER,
            base,
            base.head().commitId(),
            row -> {
              Customer customer = type.value(row.identity(), row.fieldsJson());
              state.put(customer.id(), customer.age());
            });
    return state;
  }
}
