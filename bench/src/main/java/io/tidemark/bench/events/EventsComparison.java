// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.WorkerThreads;
import java.util.List;
import java.util.Optional;

/** Two who take the same events from end to end, with one worker and with many. */
final class EventsComparison {

  private static final int MANY = 8;

  private final EventsScale scale;
  private final int events;
  private final Report report;

  /**
   * Plans it.
   *
   * @param events how many a round has
   */
  EventsComparison(EventsScale scale, int events, Report report) {
    this.scale = scale;
    this.events = events;
    this.report = report;
  }

  void compare(EventPipeline ours, EventPipeline peer, Optional<Goal> goal) throws Exception {
    for (int workers : List.of(1, MANY)) {
      try (WorkerThreads workerThreads = new WorkerThreads(workers)) {
        for (int done = 0; done < scale.warmUp() / 2; done += events) {
          ours.run(events, workerThreads);
          peer.run(events, workerThreads);
        }
        report.compareRates(
            workers == 1 ? "1 worker" : workers + " workers",
            new PairedBenchmark(scale.rounds(), events)
                .run(n -> ours.run(n, workerThreads), n -> peer.run(n, workerThreads)),
            goal);
      }
    }
  }
}
