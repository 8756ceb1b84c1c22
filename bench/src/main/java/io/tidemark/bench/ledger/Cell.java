// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.Duel;
import io.tidemark.bench.Report;
import io.tidemark.bench.Report.Goal;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.testkit.objects.Requests;
import java.util.Optional;
import java.util.function.Supplier;

/** One setting in which a new ledger and a new table of Iceberg's take turns. */
final class Cell {

  private final LedgerScale scale;
  private final Report report;

  Cell(LedgerScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  /**
   * Compares them.
   *
   * @param place makes an empty store each time
   * @return how many commits each has made
   */
  long compare(Supplier<ObjectBackend> place, Load load) throws Exception {
    try (Side ours = new Side(place.get(), LedgerAppender::new, load);
        Side peer = new Side(place.get(), IcebergAppender::new, load)) {
      Duel.Outcome outcome = new Duel(scale.rounds(), scale.commits()).fight(ours, peer);
      Optional<Goal> goal = load.isSmall() ? Optional.of(Goal.atLeast(3)) : Optional.empty();
      report.rated(load + " a commit", outcome, goal);
      Requests our = ours.requests(scale.commits());
      Requests their = peer.requests(scale.commits());
      report.weighed("  requests a commit", each(our.total()), each(their.total()));
      report.weighed("  KB written a commit", kb(our.bytesWritten()), kb(their.bytesWritten()));
      return ours.commits();
    }
  }

  private double each(long count) {
    return (double) count / scale.commits();
  }

  private double kb(long bytes) {
    return each(bytes) / 1e3;
  }
}
