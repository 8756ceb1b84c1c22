// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.bulk.Bulk.Order;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.input.Entry;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.bulk.input.OpenInput;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.model.Xyz;
import io.tidemark.features.write.Answer;
import io.tidemark.features.write.FirstStates;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import io.tidemark.features.write.WriteResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A load into a collection that has features: ordinary batches of upserts, in one transaction. An
 * id that comes again is known by its feature, which this transaction has written already.
 */
final class UpsertLoad {

  private static final int BATCH = 1_000;

  private final Order order;
  private final Tally tally;
  private final Transaction transaction;
  private final Txn txn;
  private final FirstStates ids;
  private final OpenInput reading;
  private final String prefix;
  private final List<Sent> batch = new ArrayList<>();
  private long replaced;

  private record Sent(Entry entry, Feature feature, String id) {}

  private UpsertLoad(Order order, Tally tally, Transaction transaction, OpenInput reading) {
    this.order = order;
    this.tally = tally;
    this.transaction = transaction;
    this.reading = reading;
    this.txn = transaction.txn();
    transaction.write(order.collection(), List.of()); // its options stay as they are from here on
    CollectionInfo info = transaction.collections().info(order.collection());
    this.ids = new FirstStates(order.actor(), "", info, txn, 0);
    this.prefix = info.idPrefix().orElse("");
  }

  /** What came of it. */
  record Result(Txn txn, long replaced) {}

  /**
   * Writes the features of the input in a transaction, which the caller commits.
   *
   * @param tell is told of the progress
   */
  static Result run(
      Transaction transaction, Order order, OpenInput reading, Tally tally, Watched tell)
      throws IOException {
    UpsertLoad load = new UpsertLoad(order, tally, transaction, reading);
    load.all(tell);
    tell.passed();
    return new Result(load.txn, load.replaced);
  }

  /** Who watches, and may stop it. */
  interface Watched {
    void tell();

    /** Last chance to stop it. */
    void passed();
  }

  private void all(Watched watched) throws IOException {
    for (Optional<Entry> next = reading.next(); next.isPresent(); next = reading.next()) {
      try {
        Feature feature = reading.parser().parse(next.get().text());
        batch.add(new Sent(next.get(), feature, ids.idOf(feature)));
      } catch (InvalidFeatureException e) {
        tally.leaveOut(reading.placeOf(next.get()), e);
      }
      if (batch.size() == BATCH) {
        write();
        watched.tell();
      }
    }
    write();
    watched.tell();
  }

  private void write() throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    findDuplicates();
    List<Write> writes = batch.stream().map(sent -> Write.upsert(sent.feature())).toList();
    checkDone(transaction.write(order.collection(), writes, Answer.BRIEF));
    tally.take(batch.size());
    batch.clear();
  }

  /** What is wrong with a feature is found before; so this is for what nobody has thought of. */
  private void checkDone(WriteResult result) {
    for (int i = 0; i < batch.size(); i++) {
      if (!result.rows().get(i).done()) {
        throw new InvalidInputException(
            "%s: the feature can't be written: %s; nothing was loaded"
                .formatted(reading.placeOf(batch.get(i).entry()), result.rows().get(i)));
      }
    }
  }

  private void findDuplicates() throws IOException {
    Map<String, Entry> seen = new HashMap<>();
    for (Sent sent : batch) {
      Entry first = seen.put(sent.id(), sent.entry());
      if (first != null) {
        duplicate(sent.id(), Optional.of(first), sent.entry());
      }
    }
    Set<String> before = new HashSet<>();
    // Reading takes the prefix off, which these have lost already.
    List<String> asked = seen.keySet().stream().map(prefix::concat).toList();
    for (Feature there : transaction.reading().byIds(order.collection(), asked)) {
      if (there.xyz().map(Xyz::txn).equals(Optional.of(txn))) {
        there.id().ifPresent(before::add);
      }
    }
    for (Sent sent : batch) {
      if (before.remove(sent.id())) {
        duplicate(sent.id(), firstOf(sent.id()), sent.entry());
      }
    }
  }

  private void duplicate(String id, Optional<Entry> first, Entry second) {
    replaced++;
    if (order.options().duplicates() == Duplicates.REFUSE) {
      String places =
          first
              .map(f -> "%ss %d and %d".formatted(reading.unit(), f.position(), second.position()))
              .orElse(reading.placeOf(second) + " and before");
      throw DuplicateIdException.of(id, places);
    }
  }

  /** Reads the input again, if that can be done and it matters. */
  private Optional<Entry> firstOf(String id) throws IOException {
    if (!order.input().isRepeatable() || order.options().duplicates() != Duplicates.REFUSE) {
      return Optional.empty();
    }
    try (OpenInput again = order.input().open()) {
      for (Optional<Entry> next = again.next(); next.isPresent(); next = again.next()) {
        if (has(again, next.get(), id)) {
          return next;
        }
      }
    }
    return Optional.empty();
  }

  private boolean has(OpenInput again, Entry entry, String id) {
    try {
      return ids.idOf(again.parser().parse(entry.text())).equals(id);
    } catch (InvalidFeatureException e) {
      return false; // it was left out, and told, when it was read first
    }
  }
}
