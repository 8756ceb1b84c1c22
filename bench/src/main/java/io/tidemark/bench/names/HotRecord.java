// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.bench.names.NameRegisters.Head;
import io.tidemark.bench.names.Registers.Move;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Many writers who want to move the same record: each reads it and tries to move it, from what the
 * last conflict said, until it has. Nobody may wait for ever, and nobody much longer than others.
 */
final class HotRecord {

  private static final int WRITERS = 16;
  private static final int HOT = 0;

  private final Path place;
  private final NamesBenchScale scale;
  private final Report report;

  HotRecord(Path place, NamesBenchScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    moveContended("memory", new NameRegisters(new MemoryNameBackend()));
    moveContended(
        "directory, sync",
        new NameRegisters(
            DirectoryComparison.on(
                DirectoryComparison.store(place.resolve("hot"), Durability.SYNC))));
  }

  private void moveContended(String where, NameRegisters names) throws Exception {
    try (names;
        WorkerThreads workerThreads = new WorkerThreads(WRITERS)) {
      names.create(HOT);
      moveContended(names, workerThreads, scale.rush().dividedBy(3)); // to warm up
      long[][] waits = moveContended(names, workerThreads, scale.rush());
      long[] all = Arrays.stream(waits).flatMapToLong(Arrays::stream).toArray();
      String title = where + ", " + WRITERS + " writers on one record";
      report.section(title, "median", "p99");
      report.reportTail(
          "from reading it to having moved it",
          Percentile.of(all, 50) / 1e3,
          Percentile.of(all, 99) / 1e3,
          Goal.atMost(20));
      report.section(title, "least", "most");
      long[] moves = Arrays.stream(waits).mapToLong(w -> w.length).toArray();
      report.reportFairness(
          "moves a writer", Percentile.of(moves, 0), Percentile.of(moves, 100), Goal.atLeast(0.1));
    }
  }

  /** How long each move took, by writer; a move under way at the end is counted too. */
  private static long[][] moveContended(
      NameRegisters names, WorkerThreads workerThreads, Duration time) throws Exception {
    long[][] waits = new long[WRITERS][];
    long start = System.nanoTime();
    workerThreads.run(
        writer -> {
          LongStream.Builder own = LongStream.builder();
          for (long now = start; now - start < time.toNanos(); ) {
            now = System.nanoTime();
            move(names);
            own.add(System.nanoTime() - now);
          }
          waits[writer] = own.build().toArray();
        });
    return waits;
  }

  private static void move(NameRegisters names) {
    Move<Head> move = names.move(HOT, names.read(HOT));
    while (!move.made()) {
      move = names.move(HOT, move.now());
    }
  }
}
