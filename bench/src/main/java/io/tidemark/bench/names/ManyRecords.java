// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.BenchS3Clients;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.names.Address;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.servers.S3Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What many records cost: listing them, finding one of them, holding them. */
final class ManyRecords {

  private static final int TEAMS = 100;
  private static final int LISTINGS = 3;
  private static final int MOST_LOOK_UPS = 20_000;

  /** A server in this process is too slow to fill with more. */
  private static final int MOST_ON_S3 = 2_000;

  private final Path place;
  private final NamesBenchScale scale;
  private final Report report;

  ManyRecords(Path place, NamesBenchScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    measure("memory", scale.listed(), MemoryNameBackend::new);
    measure(
        "directory",
        scale.listed(),
        () ->
            DirectoryComparison.on(
                DirectoryComparison.store(place.resolve("many"), Durability.PAGE_CACHE)));
    try (S3Server server = S3Server.start()) {
      String bucket = server.createBucket().name();
      measure(
          "S3, on loopback",
          Math.min(scale.listed(), MOST_ON_S3),
          () ->
              DirectoryComparison.on(
                  new ObjectStore(BenchS3Clients.ours(server, bucket), Retry.standard())));
      report.remark("fewer than elsewhere, and the server's own memory is in the heap");
    }
  }

  private void measure(String where, int records, Supplier<NameBackend> backend) throws Exception {
    report.section(where + ", " + records + " records", "ours", "");
    double before = usedHeap();
    try (NameService names = new NameService(backend.get())) {
      fill(names, records);
      report.reportTime("list all, a record", list(names, "", records));
      report.reportTime(
          "list one in " + TEAMS + ", a record", list(names, "team-07/", records / TEAMS));
      lookUp(names, records);
      report.reportSize("heap held, after collection", usedHeap() - before);
    }
  }

  private static Address address(int record) {
    return Address.parse("team-%02d/ledger-%06d".formatted(record % TEAMS, record));
  }

  private static void fill(NameService names, int records) throws Exception {
    try (WorkerThreads workerThreads = new WorkerThreads(NamesComparison.MANY)) {
      workerThreads.run(
          thread -> {
            for (int i = thread; i < records; i += NamesComparison.MANY) {
              names.create(address(i));
            }
          });
    }
  }

  /** The median of a few. */
  private static double list(NameService names, String prefix, int expected) {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < LISTINGS; i++) {
      long start = System.nanoTime();
      try (Stream<NameRecord> found = names.list(RecordFilter.all().startingWith(prefix))) {
        // Looked at one by one: a mere count may be had without looking.
        Expect.equal(expected, found.filter(record -> !record.meta().retracted()).count());
      }
      times.add((System.nanoTime() - start) / 1e3 / expected);
    }
    return PairedBenchmark.median(times);
  }

  private void lookUp(NameService names, int records) {
    Random random = new Random(7);
    long[] nanos = new long[Math.min(records, MOST_LOOK_UPS)];
    for (int i = 0; i < nanos.length; i++) {
      Address address = address(random.nextInt(records));
      long start = System.nanoTime();
      NameRecord found = names.find(address).orElseThrow();
      nanos[i] = System.nanoTime() - start;
      Expect.equal(0, found.address().compareTo(address));
    }
    report.reportTime("look up, median", Percentile.of(nanos, 50) / 1e3);
    report.reportTime("look up, 99 of 100 within", Percentile.of(nanos, 99) / 1e3);
  }

  /** In MiB. */
  private static double usedHeap() {
    System.gc();
    return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1048576.0;
  }
}
