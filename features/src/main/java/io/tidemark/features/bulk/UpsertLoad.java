// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.bulk.BulkOperations.LoadRequest;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.input.InputEntry;
import io.tidemark.features.bulk.input.InputReader;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.InitialVersions;
import io.tidemark.features.write.ResultDetail;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
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

  private final LoadRequest loadRequest;
  private final LoadCounts loadCounts;
  private final Transaction transaction;
  private final Txn txn;
  private final InitialVersions ids;
  private final InputReader reading;
  private final String prefix;
  private final List<ParsedFeature> batch = new ArrayList<>();
  private long replaced;

  private record ParsedFeature(InputEntry entry, Feature feature, String id) {}

  private UpsertLoad(
      LoadRequest loadRequest,
      LoadCounts loadCounts,
      Transaction transaction,
      InputReader reading) {
    this.loadRequest = loadRequest;
    this.loadCounts = loadCounts;
    this.transaction = transaction;
    this.reading = reading;
    this.txn = transaction.txn();
    transaction.write(
        loadRequest.collection(), List.of()); // its options stay as they are from here on
    CollectionInfo info = transaction.collections().info(loadRequest.collection());
    this.ids = new InitialVersions(loadRequest.actor(), "", info, txn, 0);
    this.prefix = info.idPrefix().orElse("");
  }

  /** Result of the load. */
  record Result(Txn txn, long replaced) {}

  /**
   * Writes the features of the input in a transaction, which the caller commits.
   *
   * @param tell gets the progress
   */
  static Result run(
      Transaction transaction,
      LoadRequest loadRequest,
      InputReader reading,
      LoadCounts loadCounts,
      ProgressCallback tell)
      throws IOException {
    UpsertLoad load = new UpsertLoad(loadRequest, loadCounts, transaction, reading);
    load.all(tell);
    tell.passPointOfNoReturn();
    return new Result(load.txn, load.replaced);
  }

  /** Callback that gets the progress and may stop the load. */
  interface ProgressCallback {
    void progressed();

    /** Gives the last chance to stop the load. */
    void passPointOfNoReturn();
  }

  private void all(ProgressCallback progressCallback) throws IOException {
    for (Optional<InputEntry> next = reading.next(); next.isPresent(); next = reading.next()) {
      try {
        Feature feature = reading.parser().parse(next.get().text());
        batch.add(new ParsedFeature(next.get(), feature, ids.idOf(feature)));
      } catch (InvalidFeatureException e) {
        loadCounts.skip(reading.placeOf(next.get()), e);
      }
      if (batch.size() == BATCH) {
        write();
        progressCallback.progressed();
      }
    }
    write();
    progressCallback.progressed();
  }

  private void write() throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    findDuplicates();
    List<Write> writes =
        batch.stream().map(parsedFeature -> Write.upsert(parsedFeature.feature())).toList();
    checkDone(transaction.write(loadRequest.collection(), writes, ResultDetail.BRIEF));
    loadCounts.addLoaded(batch.size());
    batch.clear();
  }

  /**
   * Checks that all writes were done. Invalid features are found before; so this covers only
   * unforeseen failures.
   */
  private void checkDone(BatchResult result) {
    for (int i = 0; i < batch.size(); i++) {
      if (!result.rows().get(i).done()) {
        throw new InvalidInputException(
            "%s: the feature can't be written: %s; nothing was loaded"
                .formatted(reading.placeOf(batch.get(i).entry()), result.rows().get(i)));
      }
    }
  }

  private void findDuplicates() throws IOException {
    Map<String, InputEntry> seen = new HashMap<>();
    for (ParsedFeature parsedFeature : batch) {
      InputEntry first = seen.put(parsedFeature.id(), parsedFeature.entry());
      if (first != null) {
        duplicate(parsedFeature.id(), Optional.of(first), parsedFeature.entry());
      }
    }
    Set<String> before = new HashSet<>();
    // Reading takes the prefix off, which these have lost already.
    List<String> asked = seen.keySet().stream().map(prefix::concat).toList();
    for (Feature there : transaction.reading().byIds(loadRequest.collection(), asked)) {
      if (there.xyz().map(XyzNamespace::txn).equals(Optional.of(txn))) {
        there.id().ifPresent(before::add);
      }
    }
    for (ParsedFeature parsedFeature : batch) {
      if (before.remove(parsedFeature.id())) {
        duplicate(parsedFeature.id(), firstOf(parsedFeature.id()), parsedFeature.entry());
      }
    }
  }

  private void duplicate(String id, Optional<InputEntry> first, InputEntry second) {
    replaced++;
    if (loadRequest.options().duplicates() == Duplicates.REFUSE) {
      String places =
          first
              .map(f -> "%ss %d and %d".formatted(reading.unit(), f.position(), second.position()))
              .orElse(reading.placeOf(second) + " and before");
      throw DuplicateIdException.of(id, places);
    }
  }

  /** Reads the input again, if that can be done and it matters. */
  private Optional<InputEntry> firstOf(String id) throws IOException {
    if (!loadRequest.input().isRepeatable()
        || loadRequest.options().duplicates() != Duplicates.REFUSE) {
      return Optional.empty();
    }
    try (InputReader again = loadRequest.input().open()) {
      for (Optional<InputEntry> next = again.next(); next.isPresent(); next = again.next()) {
        if (has(again, next.get(), id)) {
          return next;
        }
      }
    }
    return Optional.empty();
  }

  private boolean has(InputReader again, InputEntry inputEntry, String id) {
    try {
      return ids.idOf(again.parser().parse(inputEntry.text())).equals(id);
    } catch (InvalidFeatureException e) {
      return false; // it was left out, and told, when it was read first
    }
  }
}
