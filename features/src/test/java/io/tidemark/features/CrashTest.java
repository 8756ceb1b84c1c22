// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The server is killed with all its backends while several write, again and again. What was
 * acknowledged must be there, what failed must not, and all chains of states must be whole. A
 * sequencer is killed with them: the numbers that it gave stay, and have no holes.
 */
class CrashTest {

  private static final int ROUNDS = Boolean.getBoolean("soak") ? 100 : 2;
  private static final int WRITERS = 3;
  private static final int MOST_COMMITS = 40;
  private static final int FEATURES = 40;
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Txn FIRST = Txn.of(LocalDate.of(2000, 1, 1), 0);

  /** What is known to have a number. */
  private final SortedMap<Long, Txn> numbers = new TreeMap<>();

  @Test
  void whatWasAcknowledgedIsThereAfterTheServerWasKilled() throws Exception {
    Seed seed = Seed.of("CrashTest");
    RandomGenerator random = seed.random();
    try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "on"))) {
      String url = server.createDatabase();
      List<Writer> writers = new ArrayList<>();
      for (int n = 0; n < WRITERS; n++) {
        writers.add(new Writer("w" + n, new SplittableRandom(random.nextLong())));
      }
      try (Features features = Features.open(url, "store")) {
        features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
      }
      // The database itself as a replica, by when its server was started: that was before each.
      FeaturesOptions twice =
          FeaturesOptions.defaults().withReplicas(List.of(url + "&ApplicationName=other"));
      try (Features reader = Features.open(url, "store", twice)) {
        for (int round = 1; round <= ROUNDS; round++) {
          crash(server, url, writers, 1 + random.nextInt(MOST_COMMITS));
          compare(url, writers, "round " + round + ", " + seed);
          awaitPrimary(reader);
          assertThat(reader.read(ReadTransaction::collections)).hasSize(1);
        }
      }
    }
  }

  /** Connections to a server that was killed are replaced when that is noticed. */
  private static void awaitPrimary(Features features) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (true) {
      try {
        long unused = features.log().lastNumber();
        return;
      } catch (StorageUnavailableException e) {
        assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }

  /** Kills it after so many commits; those who write go on until they meet a dead server. */
  private void crash(PostgresServer server, String url, List<Writer> writers, int commits)
      throws InterruptedException {
    CountDownLatch enough = new CountDownLatch(commits);
    AtomicBoolean killed = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (Features features = Features.open(url, "store")) {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (Writer writer : writers) {
        ends.add(CompletableFuture.runAsync(() -> writer.run(features, enough, killed), threads));
      }
      Sequencer unused = features.log().startSequencer(SequencerOptions.defaults().polling(POLL));
      assertThat(enough.await(60, TimeUnit.SECONDS)).as("they write").isTrue();
      awaitNumbers(features, numbers.size());
      numbers.putAll(numbers(features));
      server.kill();
      killed.set(true);
      server.restart();
      ends.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void awaitNumbers(Features features, long before) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (features.log().lastNumber() <= before) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** The transactions that have a number, by that. */
  private static SortedMap<Long, Txn> numbers(Features features) {
    SortedMap<Long, Txn> numbers = new TreeMap<>();
    features
        .log()
        .fromNumber(1, Integer.MAX_VALUE)
        .forEach(logged -> numbers.put(logged.number(), logged.txn()));
    return numbers;
  }

  /** Those that were known before are the same, and the others follow. */
  private void compareNumbers(Features features, String when) {
    features.log().sequence();
    SortedMap<Long, Txn> found = numbers(features);
    assertThat(found).as(when).containsAllEntriesOf(numbers);
    assertThat(found.keySet())
        .as(when)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, found.size()).boxed().toList());
    List<LoggedTransaction> all = features.log().from(FIRST, Integer.MAX_VALUE);
    assertThat(found.values())
        .as(when)
        .containsExactlyInAnyOrderElementsOf(all.stream().map(LoggedTransaction::txn).toList());
    numbers.putAll(found);
  }

  private void compare(String url, List<Writer> writers, String when) {
    Map<String, Integer> expected = new TreeMap<>();
    Set<String> deleted = new TreeSet<>();
    for (Writer writer : writers) {
      writer.committed.there.forEach((id, feature) -> expected.put(id, n(feature)));
      deleted.addAll(writer.committed.deleted);
    }
    try (Features features = Features.open(url, "store")) {
      List<String> ids = new ArrayList<>();
      writers.forEach(writer -> ids.addAll(writer.ids()));
      Map<String, Integer> found = new TreeMap<>();
      for (Feature feature : features.read(r -> r.byIds("foo", ids))) {
        found.put(feature.id().orElseThrow(), n(feature));
      }
      assertThat(found).as(when).isEqualTo(expected);
      List<Feature> copies = features.read(r -> r.deleted("foo", ids));
      assertThat(copies)
          .as(when)
          .extracting(copy -> copy.id().orElseThrow())
          .containsExactlyInAnyOrderElementsOf(deleted);
      assertThat(features.checker().check("foo").flaws()).as(when).isEmpty();
      compareNumbers(features, when);
    }
  }

  private static int n(Feature feature) {
    return feature.data().path("properties").path("n").intValue();
  }

  /** What is there of a writer's features: their states, and those that are deleted. */
  private record Kept(Map<String, Feature> there, Set<String> deleted) {

    /** What is there when a batch was done. */
    Kept after(BatchResult result) {
      Map<String, Feature> thereAfter = new TreeMap<>(there);
      Set<String> deletedAfter = new TreeSet<>(deleted);
      for (RowResult row : result.rows()) {
        if (row instanceof RowResult.Created created) {
          thereAfter.put(row.id(), created.state());
          deletedAfter.remove(row.id());
        } else if (row instanceof RowResult.Updated updated) {
          thereAfter.put(row.id(), updated.state());
        } else if (row instanceof RowResult.Deleted) {
          thereAfter.remove(row.id());
          deletedAfter.add(row.id());
        } else if (row instanceof RowResult.Purged) {
          thereAfter.remove(row.id());
          deletedAfter.remove(row.id());
        }
      }
      return new Kept(thereAfter, deletedAfter);
    }
  }

  /** Writes features of its own, and remembers what was committed. */
  private static final class Writer {
    final String name;
    final RandomGenerator random;
    Kept committed = new Kept(Map.of(), Set.of());
    private int batches;

    Writer(String name, RandomGenerator random) {
      this.name = name;
      this.random = random;
    }

    List<String> ids() {
      List<String> ids = new ArrayList<>();
      for (int n = 0; n < FEATURES; n++) {
        ids.add(name + "-" + n);
      }
      return ids;
    }

    /**
     * Until the server is killed; what the API says of the batch that was under way must be true.
     */
    void run(Features features, CountDownLatch enough, AtomicBoolean killed) {
      while (!killed.get()) {
        batches++;
        List<Write> writes = random.nextInt(3) == 0 ? all() : some();
        try {
          BatchResult result = features.write(ALICE, "foo", writes);
          assertThat(result.firstProblem()).isEmpty();
          committed = committed.after(result);
        } catch (TidemarkException e) {
          // Not CommitUnknownException: the server is back, so it can be asked.
          assertThat(e).isInstanceOf(StorageUnavailableException.class);
          return;
        }
        enough.countDown();
      }
    }

    private List<Write> some() {
      return ids().stream().filter(id -> random.nextInt(3) == 0).map(this::write).toList();
    }

    /** Many of a kind are done in other ways than few. */
    private List<Write> all() {
      boolean delete = random.nextBoolean();
      return ids().stream()
          .map(id -> delete ? Write.delete(id) : Write.upsert(feature(id)))
          .toList();
    }

    private Feature feature(String id) {
      return Feature.parse("{\"id\": \"%s\", \"properties\": {\"n\": %d}}".formatted(id, batches));
    }

    private Write write(String id) {
      Feature next = feature(id);
      Feature there = committed.there.get(id);
      @Nullable String uuid = there == null ? null : there.xyz().orElseThrow().uuid().orElseThrow();
      return switch (random.nextInt(8)) {
        case 0 -> Write.delete(id);
        case 1 -> new Write.Delete(id, uuid);
        case 2 -> Write.purge(id);
        case 3 -> new Write.Purge(id, uuid);
        case 4, 5 -> there == null ? Write.create(next) : new Write.Update(next, uuid);
        default -> Write.upsert(next);
      };
    }
  }
}
