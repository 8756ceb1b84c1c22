// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.bulk.Bulk.Order;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.LoadSession.Beginning;
import io.tidemark.features.bulk.LoadSession.Target;
import io.tidemark.features.bulk.input.Entry;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.bulk.input.OpenInput;
import io.tidemark.features.db.Failures;
import io.tidemark.features.db.Storage;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.FirstStates;
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
 * A file into a collection, as one transaction: all of it is there, or nothing.
 *
 * <p>Into a collection that is new or empty, the rows are sent into tables of the load's own, by
 * several connections at once; then their keys are built, and then they take the place of the
 * collection's empty tables, in one short transaction. Rows, keys and triggers are those that
 * ordinary writes would have left. Whoever reads or writes the collection meanwhile finds it as it
 * was. If the loader or the server is killed, what is left are tables called {@code naksha_load_*},
 * which the next load into the collection drops, or {@link Bulk#removeLeftovers}.
 *
 * <p>A collection that has features is loaded by ordinary batches, if that is asked for.
 */
public final class Load {

  private static final Logger LOG = LoggerFactory.getLogger(Load.class);

  private static final int MOST_ATTEMPTS = 20;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int CHUNK = 500;
  private static final int CHUNK_BYTES = 256 << 10;

  private final Storage storage;
  private final Function<Actor, Transaction> begin;
  private final Order order;
  private final Stop stop = new Stop();
  private final Tally tally;
  private final long start = System.nanoTime();

  Load(Storage storage, Function<Actor, Transaction> begin, Order order) {
    this.storage = storage;
    this.begin = begin;
    this.order = order;
    this.tally = new Tally(order.options().mostInvalid());
  }

  /** Ends it, if it isn't as good as done: {@link #run} throws then, and nothing is there. */
  public void stop() {
    stop.ask();
  }

  /**
   * Does it, once.
   *
   * @param listener is told now and then how far it is, in this thread
   * @throws InvalidInputException if the input can't be read, or has too many invalid features
   * @throws DuplicateIdException if it has an id twice
   * @throws LoadRefusedException if the collection has features, or is being loaded, or if its
   *     tables have what would be lost with them, such as a policy
   * @throws LoadStoppedException if it was stopped
   */
  public LoadReport run(Consumer<LoadProgress> listener) {
    try (LoadSession session = LoadSession.begin(storage, order.collection())) {
      Target target = session.target(order.options().create());
      if (target instanceof Target.Filled || target instanceof Target.Adorned) {
        if (order.options().existing() == Existing.REFUSE) {
          throw refusal(target);
        }
        return upserted(listener);
      }
      try (OpenInput reading = order.input().open()) {
        return staged(session, target, reading, new Watch(listener, reading));
      }
    } catch (IOException e) {
      throw new InvalidInputException(
          "%s can't be read to its end: %s; nothing was loaded"
              .formatted(order.input().name(), FileErrors.reason(e)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadStoppedException("the load was interrupted; nothing of it is there");
    }
  }

  private LoadRefusedException refusal(Target target) {
    String problem =
        target instanceof Target.Adorned own
            ? "was given what a load would lose: %s; drop that and make it again afterwards"
                .formatted(own.loss())
            : "has features; load into an empty one";
    return new LoadRefusedException(
        "the collection '%s' %s, or have features created or replaced one by one (upsert)"
            .formatted(order.collection(), problem));
  }

  /** If others win against it, it begins anew, unless the input can be read only once. */
  private LoadReport upserted(Consumer<LoadProgress> listener) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try (OpenInput reading = order.input().open()) {
        return upserted(reading, new Watch(listener, reading));
      } catch (StorageUnavailableException e) {
        if (attempt == MOST_ATTEMPTS || !Failures.beaten(e) || !order.input().isRepeatable()) {
          throw e;
        }
        LOG.info("a load into {} lost against others and begins anew", order.collection(), e);
        tally.clear();
        LockSupport.parkNanos(attempt * PAUSE); // so that whoever won gets on
      }
    }
  }

  private LoadReport upserted(OpenInput reading, Watch watch) throws IOException {
    UpsertLoad.Watched watched =
        new UpsertLoad.Watched() {
          @Override
          public void tell() {
            stop.check();
            watch.tell(Phase.COPY, 0);
          }

          @Override
          public void passed() {
            stop.passed();
          }
        };
    try (Transaction transaction = begin.apply(order.actor())) {
      UpsertLoad.Result result = UpsertLoad.run(transaction, order, reading, tally, watched);
      transaction.commit();
      return report(result.txn(), result.replaced());
    }
  }

  private LoadReport report(Txn txn, long replaced) {
    return new LoadReport(
        order.collection(),
        txn,
        tally.taken() - replaced,
        replaced,
        tally.invalid(),
        tally.problems(),
        took());
  }

  private Duration took() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Tells how far it is. */
  private final class Watch {
    private final Consumer<LoadProgress> listener;
    private final OpenInput reading;

    Watch(Consumer<LoadProgress> listener, OpenInput reading) {
      this.listener = listener;
      this.reading = reading;
    }

    void tell(Phase phase, int tables) {
      listener.accept(
          new LoadProgress(
              phase, tally.taken(), reading.bytes(), order.input().size(), tables, took()));
    }
  }

  private LoadReport staged(LoadSession session, Target target, OpenInput reading, Watch watch)
      throws IOException, InterruptedException {
    Staging staging = new Staging(storage, target);
    staging.create();
    try {
      Beginning beginning = session.number(target, order.input().mostPositions());
      long last = copy(staging, target, beginning, reading, watch);
      long replaced = index(staging, beginning, reading, watch);
      watch.tell(Phase.ATTACH, staging.leaves().size());
      stop.passed();
      staging.attach(order.actor(), beginning, tally.taken() == 0 ? 0 : beginning.base() + last);
      return report(beginning.txn(), replaced);
    } catch (Throwable e) {
      staging.drop();
      throw e;
    }
  }

  /** Reads the input and hands it out; returns the last position. */
  private long copy(
      Staging staging, Target target, Beginning beginning, OpenInput reading, Watch watch)
      throws IOException, InterruptedException {
    FirstStates states =
        new FirstStates(
            order.actor(),
            storage.place().storageId(),
            target.info(),
            beginning.txn(),
            beginning.ms());
    long begun = System.nanoTime();
    CopyWorker.Shared shared =
        new CopyWorker.Shared(
            staging,
            states,
            reading,
            tally,
            stop,
            beginning.base(),
            () -> beginning.ms() + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    int workers = order.options().parallel();
    BlockingQueue<List<Entry>> queue = new ArrayBlockingQueue<>(2 * workers);
    try (Crew crew =
        Crew.start(
            workers,
            storage,
            stop,
            own -> {
              CopyWorker worker = new CopyWorker(shared, own);
              for (List<Entry> chunk = queue.take(); !chunk.isEmpty(); chunk = queue.take()) {
                worker.take(chunk);
              }
              worker.end();
            })) {
      long last = read(reading, chunk -> hand(queue, chunk, crew, watch));
      for (int i = 0; i < workers; i++) {
        hand(queue, List.of(), crew, watch);
      }
      crew.await();
      watch.tell(Phase.COPY, 0);
      return last;
    }
  }

  /** Takes chunks. */
  @FunctionalInterface
  private interface Chunks {
    void take(List<Entry> chunk) throws InterruptedException;
  }

  private static long read(OpenInput reading, Chunks chunks)
      throws IOException, InterruptedException {
    List<Entry> chunk = new ArrayList<>(CHUNK);
    int bytes = 0;
    long last = 0;
    for (Optional<Entry> next = reading.next(); next.isPresent(); next = reading.next()) {
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

  private static void hand(
      BlockingQueue<List<Entry>> queue, List<Entry> chunk, Crew crew, Watch watch)
      throws InterruptedException {
    do {
      crew.check();
      watch.tell(Phase.COPY, 0);
    } while (!queue.offer(chunk, 100, TimeUnit.MILLISECONDS));
  }

  /** Builds the keys, of several tables at once; returns how many rows were dropped. */
  private long index(Staging staging, Beginning beginning, OpenInput reading, Watch watch)
      throws InterruptedException {
    ConcurrentLinkedQueue<String> left = new ConcurrentLinkedQueue<>(staging.leaves());
    AtomicInteger done = new AtomicInteger();
    AtomicLong dropped = new AtomicLong();
    Staging.Places places =
        (first, second) ->
            "%ss %d and %d"
                .formatted(reading.unit(), first - beginning.base(), second - beginning.base());
    int workers = Math.min(order.options().parallel(), staging.leaves().size());
    try (Crew crew =
        Crew.start(
            workers,
            storage,
            stop,
            own -> {
              stop.enter(own);
              for (String leaf = left.poll(); leaf != null; leaf = left.poll()) {
                if (Thread.currentThread().isInterrupted()) {
                  return; // another one has failed
                }
                dropped.addAndGet(staging.index(own, leaf, order.options().duplicates(), places));
                done.incrementAndGet();
              }
            })) {
      for (Optional<Thread> one = crew.running(); one.isPresent(); one = crew.running()) {
        crew.check();
        watch.tell(Phase.KEYS, done.get());
        one.get().join(100);
      }
      crew.await();
    }
    return dropped.get();
  }
}
