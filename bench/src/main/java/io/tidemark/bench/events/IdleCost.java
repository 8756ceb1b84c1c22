// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.objects.CountingBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What looking for work costs when there is none, after more and more events have been handled: as
 * soon as they have been, when events that come late are still looked for among them, and when that
 * time is over.
 */
final class IdleCost {

  private static final int LOOKS = 21;

  /** Shorter than it usually is, so that the time for late events is over soon. */
  private static final BusOptions OPTIONS =
      BusOptions.standard().withMaxSkew(Duration.ofSeconds(1));

  private final Path place;
  private final EventsScale scale;
  private final Report report;

  IdleCost(Path place, EventsScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    report.section("idle, in a directory", "time", "");
    CountingBackend counting =
        new CountingBackend(DirectoryBackend.open(place.resolve("idle"), Durability.PAGE_CACHE));
    try (BusPipeline ours = new BusPipeline(new ObjectStore(counting, Retry.standard()), OPTIONS);
        WorkerThreads workerThreads = new WorkerThreads(2)) {
      int past = 0;
      for (int until :
          scale.past() < 1_000
              ? List.of(0, scale.past())
              : List.of(0, scale.past() / 100, scale.past() / 10, scale.past())) {
        if (until > past) {
          ours.run(until - past, workerThreads);
        }
        past = until;
        look("after %,d events, at once".formatted(past), ours, counting);
        Thread.sleep(OPTIONS.overlap().toMillis());
        look(ours); // by which it finds out that nothing comes late
        double requests = look("after %,d events, later".formatted(past), ours, counting);
        Expect.equal(1, Math.round(requests));
      }
    }
  }

  /** How many requests a look takes, and how long. */
  private double look(String what, BusPipeline ours, CountingBackend counting) {
    List<Double> micros = new ArrayList<>();
    counting.reset();
    for (int i = 0; i < LOOKS; i++) {
      long start = System.nanoTime();
      look(ours);
      micros.add((System.nanoTime() - start) / 1e3);
    }
    double requests = (double) counting.reset().total() / LOOKS;
    report.reportTime(what, PairedBenchmark.median(micros));
    report.remark("%.2f requests a look".formatted(requests));
    return requests;
  }

  private static void look(BusPipeline ours) {
    ClaimRequest wish =
        new ClaimRequest(
            BusPipeline.HANDLER, EventTypeFilter.all(), EventPipeline.AT_A_TIME, "idle");
    Expect.equal(0, ours.namespace().claim(wish).size());
  }
}
