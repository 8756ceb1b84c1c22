// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.Crew;
import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import java.util.List;
import java.util.Optional;

/** Two who take the same events from end to end, with one worker and with many. */
final class Contest {

  private static final int MANY = 8;

  private final EventsScale scale;
  private final int events;
  private final Report report;

  /**
   * Plans it.
   *
   * @param events how many a round has
   */
  Contest(EventsScale scale, int events, Report report) {
    this.scale = scale;
    this.events = events;
    this.report = report;
  }

  void fight(Flow ours, Flow peer, Optional<Goal> goal) throws Exception {
    for (int workers : List.of(1, MANY)) {
      try (Crew crew = new Crew(workers)) {
        for (int done = 0; done < scale.warmUp() / 2; done += events) {
          ours.run(events, crew);
          peer.run(events, crew);
        }
        report.rated(
            workers == 1 ? "1 worker" : workers + " workers",
            new Duel(scale.rounds(), events).fight(n -> ours.run(n, crew), n -> peer.run(n, crew)),
            goal);
      }
    }
  }
}
