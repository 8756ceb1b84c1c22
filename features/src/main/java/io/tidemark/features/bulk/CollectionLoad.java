// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.bulk.BulkOperations.LoadRequest;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.LoadSession.LoadStart;
import io.tidemark.features.bulk.LoadSession.Target;
import io.tidemark.features.bulk.input.InputEntry;
import io.tidemark.features.bulk.input.InputReader;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.InitialVersions;
import io.tidemark.features.write.Transaction;
import io.tidemark.objects.FileErrors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Load of a file into a collection as one transaction: all rows become visible, or none.
 *
 * <p>If the collection is new or empty, several connections copy the rows into staging tables. Then
 * the keys are built, and one short transaction swaps the staging tables for the collection's empty
 * ones. Rows, keys and triggers are those that ordinary writes would have left. Readers and writers
 * of the collection meanwhile see it unchanged. If the loader or the server is killed, tables named
 * {@code naksha_load_*} remain. The next load into the collection drops them, or {@link
 * BulkOperations#removeLeftovers} does.
 *
 * <p>A collection that has features is loaded by ordinary batches, if the options ask for that.
 */
public final class CollectionLoad {

  private static final Logger LOG = LoggerFactory.getLogger(CollectionLoad.class);

  private static final int MOST_ATTEMPTS = 20;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int CHUNK = 500;
  private static final int CHUNK_BYTES = 256 << 10;

  private final FeatureStorage featureStorage;
  private final Function<Actor, Transaction> begin;
  private final LoadRequest loadRequest;
  private final LoadCancellation loadCancellation = new LoadCancellation();
  private final LoadCounts loadCounts;
  private final long start = System.nanoTime();

  CollectionLoad(
      FeatureStorage featureStorage, Function<Actor, Transaction> begin, LoadRequest loadRequest) {
    this.featureStorage = featureStorage;
    this.begin = begin;
    this.loadRequest = loadRequest;
    this.loadCounts = new LoadCounts(loadRequest.options().mostInvalid());
  }

  /**
   * Stops the load, unless it is about to commit: {@link #run} throws then, and no row is stored.
   */
  public void stop() {
    loadCancellation.request();
  }

  /**
   * Runs the load; may be called once.
   *
   * @param listener gets the progress from time to time, in this thread
   * @throws InvalidInputException if the input can't be read, or has too many invalid features
   * @throws DuplicateIdException if the input has an id twice
   * @throws LoadRefusedException if the collection has features, or is being loaded, or if its
   *     tables have additions that would be lost with them, such as a policy
   * @throws LoadStoppedException if the load was stopped
   */
  public LoadReport run(Consumer<LoadProgress> listener) {
    try (LoadSession session = LoadSession.begin(featureStorage, loadRequest.collection())) {
      Target target = session.target(loadRequest.options().create());
      if (target instanceof Target.Filled || target instanceof Target.Customized) {
        if (loadRequest.options().existing() == Existing.REFUSE) {
          throw refusal(target);
        }
        return loadByUpsert(listener);
      }
      try (InputReader reading = loadRequest.input().open()) {
        return loadByStaging(session, target, reading, new ProgressReporter(listener, reading));
      }
    } catch (IOException e) {
      throw new InvalidInputException(
          "%s can't be read to its end: %s; nothing was loaded"
              .formatted(loadRequest.input().name(), FileErrors.reason(e)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadStoppedException("the load was interrupted; nothing of it is there");
    }
  }

  private LoadRefusedException refusal(Target target) {
    String problem =
        target instanceof Target.Customized own
            ? "was given what a load would lose: %s; drop that and make it again afterwards"
                .formatted(own.loss())
            : "has features; load into an empty one";
    return new LoadRefusedException(
        "the collection '%s' %s, or have features created or replaced one by one (upsert)"
            .formatted(loadRequest.collection(), problem));
  }

  /** Starts over if it loses against other transactions, unless the input can be read only once. */
  private LoadReport loadByUpsert(Consumer<LoadProgress> listener) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try (InputReader reading = loadRequest.input().open()) {
        return loadByUpsert(reading, new ProgressReporter(listener, reading));
      } catch (StorageUnavailableException e) {
        if (attempt == MOST_ATTEMPTS
            || !PostgresErrorTranslator.isRetryable(e)
            || !loadRequest.input().isRepeatable()) {
          throw e;
        }
        LOG.info("a load into {} lost against others and begins anew", loadRequest.collection(), e);
        loadCounts.clear();
        LockSupport.parkNanos(attempt * PAUSE); // so that whoever won gets on
      }
    }
  }

  private LoadReport loadByUpsert(InputReader reading, ProgressReporter progressReporter)
      throws IOException {
    UpsertLoad.ProgressCallback progressCallback =
        new UpsertLoad.ProgressCallback() {
          @Override
          public void progressed() {
            loadCancellation.throwIfCancelled();
            progressReporter.report(Phase.COPY, 0);
          }

          @Override
          public void passPointOfNoReturn() {
            loadCancellation.passPointOfNoReturn();
          }
        };
    try (Transaction transaction = begin.apply(loadRequest.actor())) {
      UpsertLoad.Result result =
          UpsertLoad.run(transaction, loadRequest, reading, loadCounts, progressCallback);
      transaction.commit();
      return report(result.txn(), result.replaced());
    }
  }

  private LoadReport report(Txn txn, long replaced) {
    return new LoadReport(
        loadRequest.collection(),
        txn,
        loadCounts.taken() - replaced,
        replaced,
        loadCounts.invalid(),
        loadCounts.problems(),
        elapsed());
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Reporter of the progress. */
  private final class ProgressReporter {
    private final Consumer<LoadProgress> listener;
    private final InputReader reading;

    ProgressReporter(Consumer<LoadProgress> listener, InputReader reading) {
      this.listener = listener;
      this.reading = reading;
    }

    void report(Phase phase, int tables) {
      listener.accept(
          new LoadProgress(
              phase,
              loadCounts.taken(),
              reading.bytes(),
              loadRequest.input().size(),
              tables,
              elapsed()));
    }
  }

  private LoadReport loadByStaging(
      LoadSession session, Target target, InputReader reading, ProgressReporter progressReporter)
      throws IOException, InterruptedException {
    StagingTables stagingTables = new StagingTables(featureStorage, target);
    stagingTables.create();
    try {
      LoadStart loadStart = session.reserveNumbers(target, loadRequest.input().mostPositions());
      long last = copy(stagingTables, target, loadStart, reading, progressReporter);
      long replaced = index(stagingTables, loadStart, reading, progressReporter);
      progressReporter.report(Phase.ATTACH, stagingTables.leaves().size());
      loadCancellation.passPointOfNoReturn();
      stagingTables.attach(
          loadRequest.actor(), loadStart, loadCounts.taken() == 0 ? 0 : loadStart.base() + last);
      return report(loadStart.txn(), replaced);
    } catch (Throwable e) {
      stagingTables.drop();
      throw e;
    }
  }

  /** Reads the input and hands it out; returns the last position. */
  private long copy(
      StagingTables stagingTables,
      Target target,
      LoadStart loadStart,
      InputReader reading,
      ProgressReporter progressReporter)
      throws IOException, InterruptedException {
    InitialVersions states =
        new InitialVersions(
            loadRequest.actor(),
            featureStorage.place().storageId(),
            target.info(),
            loadStart.txn(),
            loadStart.ms());
    long begun = System.nanoTime();
    CopyWorker.Context context =
        new CopyWorker.Context(
            stagingTables,
            states,
            reading,
            loadCounts,
            loadCancellation,
            loadStart.base(),
            () -> loadStart.ms() + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    int workers = loadRequest.options().parallel();
    BlockingQueue<List<InputEntry>> queue = new ArrayBlockingQueue<>(2 * workers);
    try (LoadThreads loadThreads =
        LoadThreads.start(
            workers,
            featureStorage,
            loadCancellation,
            own -> {
              CopyWorker worker = new CopyWorker(context, own);
              for (List<InputEntry> chunk = queue.take(); !chunk.isEmpty(); chunk = queue.take()) {
                worker.process(chunk);
              }
              worker.flush();
            })) {
      long last = read(reading, chunk -> enqueue(queue, chunk, loadThreads, progressReporter));
      for (int i = 0; i < workers; i++) {
        enqueue(queue, List.of(), loadThreads, progressReporter);
      }
      loadThreads.await();
      progressReporter.report(Phase.COPY, 0);
      return last;
    }
  }

  /** Consumer of chunks of entries. */
  @FunctionalInterface
  private interface Chunks {
    void take(List<InputEntry> chunk) throws InterruptedException;
  }

  private static long read(InputReader reading, Chunks chunks)
      throws IOException, InterruptedException {
    List<InputEntry> chunk = new ArrayList<>(CHUNK);
    int bytes = 0;
    long last = 0;
    for (Optional<InputEntry> next = reading.next(); next.isPresent(); next = reading.next()) {
      chunk.add(next.get());
      bytes += next.get().text().length;
      last = next.get().position();
      if (chunk.size() == CHUNK || bytes >= CHUNK_BYTES) {
        chunks.take(chunk);
        chunk = new ArrayList<>(CHUNK);
        bytes = 0;
      }
    }
    if (!chunk.isEmpty()) {
      chunks.take(chunk);
    }
    return last;
  }

  private static void enqueue(
      BlockingQueue<List<InputEntry>> queue,
      List<InputEntry> chunk,
      LoadThreads loadThreads,
      ProgressReporter progressReporter)
      throws InterruptedException {
    do {
      loadThreads.throwIfFailed();
      progressReporter.report(Phase.COPY, 0);
    } while (!queue.offer(chunk, 100, TimeUnit.MILLISECONDS));
  }

  /** Builds the keys, of several tables at once; returns how many rows were dropped. */
  private long index(
      StagingTables stagingTables,
      LoadStart loadStart,
      InputReader reading,
      ProgressReporter progressReporter)
      throws InterruptedException {
    ConcurrentLinkedQueue<String> left = new ConcurrentLinkedQueue<>(stagingTables.leaves());
    AtomicInteger done = new AtomicInteger();
    AtomicLong dropped = new AtomicLong();
    StagingTables.RowLocator rowLocator =
        (first, second) ->
            "%ss %d and %d"
                .formatted(reading.unit(), first - loadStart.base(), second - loadStart.base());
    int workers = Math.min(loadRequest.options().parallel(), stagingTables.leaves().size());
    try (LoadThreads loadThreads =
        LoadThreads.start(
            workers,
            featureStorage,
            loadCancellation,
            own -> {
              loadCancellation.register(own);
              for (String leaf = left.poll(); leaf != null; leaf = left.poll()) {
                if (Thread.currentThread().isInterrupted()) {
                  return; // another one has failed
                }
                dropped.addAndGet(
                    stagingTables.index(own, leaf, loadRequest.options().duplicates(), rowLocator));
                done.incrementAndGet();
              }
            })) {
      for (Optional<Thread> one = loadThreads.running();
          one.isPresent();
          one = loadThreads.running()) {
        loadThreads.throwIfFailed();
        progressReporter.report(Phase.KEYS, done.get());
        one.get().join(100);
      }
      loadThreads.await();
    }
    return dropped.get();
  }
}
