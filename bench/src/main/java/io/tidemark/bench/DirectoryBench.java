// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import io.tidemark.bench.measure.BareFiles;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.Workload;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The directory store beside the bare file operations. */
final class DirectoryBench {

  private static final byte[] BYTES = new byte[300]; // a head, a record, a lock: most CAS is small
  private static final int THREADS = 8;

  private final Path place;
  private final ObjectsScale objectsScale;
  private final Report report;

  DirectoryBench(Path place, ObjectsScale objectsScale, Report report) {
    this.place = place;
    this.objectsScale = objectsScale;
    this.report = report;
  }

  void run() throws Exception {
    for (Durability durability : Durability.values()) {
      boolean sync = durability == Durability.SYNC;
      Path home = place.resolve(durability.name());
      BareFiles floor = new BareFiles(home.resolve("floor"), durability);
      try (ObjectStore store = open(home.resolve("ours"), durability)) {
        report.section("directory, " + (sync ? "sync" : "page-cache"), "bare files");
        PairedBenchmark pairedBenchmark =
            new PairedBenchmark(
                objectsScale.rounds(), sync ? objectsScale.synced() : objectsScale.cached());
        report.compareTimes(
            "CAS, one key",
            pairedBenchmark.run(cas(store, "cas.json"), n -> replace(floor, n)),
            sync ? Optional.empty() : Optional.of(Goal.atMost(1.3)));
        report.compareTimes(
            "put, one key",
            pairedBenchmark.run(n -> put(store, n), n -> replace(floor, n)),
            Optional.empty());
        report.compareTimes(
            "get", pairedBenchmark.run(n -> get(store, n), n -> read(floor, n)), Optional.empty());
        report.compareSpeed(
            "CAS, 8 threads on 8 keys, beside 1 thread",
            pairedBenchmark.run(parallelCas(store), cas(store, "alone.json")),
            sync ? Optional.of(Goal.atLeast(2)) : Optional.empty());
      }
    }
    list();
  }

  private void list() throws Exception {
    report.section("directory, " + objectsScale.listed() + " keys", "bare walk");
    list("in directories of 20", i -> String.format("keys/%06d/%d.json", i / 20, i % 20));
    list("in one directory", i -> String.format("keys/%06d.json", i));
    report.remark("the walk looks up each file too, but in no order");
  }

  private void list(String shape, IntFunction<String> key) throws Exception {
    Path home = place.resolve(shape.replace(' ', '-'));
    try (ObjectStore store = open(home, Durability.PAGE_CACHE)) {
      for (int i = 0; i < objectsScale.listed(); i++) {
        store.put(key.apply(i), Body.of("{}"), Condition.none());
      }
      PairedBenchmark pairedBenchmark =
          new PairedBenchmark(Math.min(3, objectsScale.rounds()), objectsScale.listed());
      report.compareTimes(
          "list, a key " + shape,
          pairedBenchmark.run(n -> list(store, n), n -> walk(home, n)),
          Optional.empty());
      report.remark(heapWhileListing(store));
    }
  }

  private static ObjectStore open(Path directory, Durability durability) {
    return new ObjectStore(DirectoryBackend.open(directory, durability), Retry.standard());
  }

  private static Workload cas(ObjectStore store, String key) {
    ETag[] version = {written(store, key, Condition.none())};
    return n -> {
      for (int i = 0; i < n; i++) {
        version[0] = written(store, key, Condition.ifMatch(version[0]));
      }
    };
  }

  private static ETag written(ObjectStore store, String key, Condition condition) {
    return ((Written) store.put(key, Body.of(BYTES), condition)).etag();
  }

  /** The same number of writes as one thread makes, shared between many. */
  private static Workload parallelCas(ObjectStore store) {
    List<Workload> workers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      workers.add(cas(store, "threads/" + i + ".json"));
    }
    return n -> {
      ExecutorService pool = Executors.newFixedThreadPool(THREADS);
      try {
        List<Future<?>> running = new ArrayList<>();
        for (Workload worker : workers) {
          running.add(
              pool.submit(
                  () -> {
                    worker.run(n / THREADS);
                    return null;
                  }));
        }
        for (Future<?> future : running) {
          future.get();
        }
      } finally {
        pool.shutdown();
      }
    };
  }

  private static void put(ObjectStore store, int n) {
    for (int i = 0; i < n; i++) {
      written(store, "put.json", Condition.none());
    }
  }

  private static void replace(BareFiles floor, int n) throws IOException {
    for (int i = 0; i < n; i++) {
      floor.replace("cas.json", BYTES);
    }
  }

  private static void get(ObjectStore store, int n) {
    for (int i = 0; i < n; i++) {
      Expect.equal(BYTES.length, store.get("cas.json").orElseThrow().bytes().length);
    }
  }

  private static void read(BareFiles floor, int n) throws IOException {
    for (int i = 0; i < n; i++) {
      Expect.equal(BYTES.length, floor.read("cas.json").length);
    }
  }

  private static void list(ObjectStore store, int n) {
    try (Stream<ObjectInfo> objects = store.list("")) {
      Expect.equal(n, objects.count());
    }
  }

  private static void walk(Path home, int n) throws IOException {
    try (Stream<Path> files = Files.walk(home.resolve("keys"))) {
      Expect.equal(n, files.filter(DirectoryBench::isRegular).count());
    }
  }

  private static boolean isRegular(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String heapWhileListing(ObjectStore store) {
    long before = usedHeap();
    long[] most = {before};
    long[] seen = {0};
    try (Stream<ObjectInfo> objects = store.list("")) {
      objects.forEach(
          object -> {
            if (++seen[0] % (objectsScale.listed() / 5) == 0) {
              most[0] = Math.max(most[0], usedHeap());
            }
          });
    }
    return String.format(
        Locale.ROOT,
        "heap held while listing, after collection: %.1f MiB more than before",
        (most[0] - before) / 1048576.0);
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
