// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How long it takes from asking for a commit to everybody seeing it, beside the least it can take:
 * two round trips and the encoding of the rows.
 */
final class CommitVisibility {

  private static final Goal CLOSE = Goal.atMost(1.3);

  private final LedgerScale scale;
  private final Report report;

  CommitVisibility(LedgerScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  void compare(ObjectBackend place, CommitContent commitContent) {
    try (ObjectStore store = new ObjectStore(place, Retry.standard());
        LedgerAppender ours = new LedgerAppender(store)) {
      TwoRoundTrips least = new TwoRoundTrips(store);
      List<PairedBenchmark.Round> rounds = new ArrayList<>();
      List<Double> encoding = new ArrayList<>();
      for (int round = -1; round < scale.rounds(); round++) {
        double ourMicros = 0;
        double leastMicros = 0;
        for (int i = 0; i < scale.commits(); i++) {
          List<Customer> rows = commitContent.batch((round + 1L) * scale.commits() + i);
          ours.queue(rows); // isn't asking for a commit yet
          ourMicros += micros(ours::commitQueued);
          double encoded = micros(() -> least.encode(rows));
          leastMicros += encoded + micros(least::write);
          encoding.add(encoded);
        }
        if (round >= 0) { // the one before that warms up
          rounds.add(
              new PairedBenchmark.Round(
                  ourMicros / scale.commits(), leastMicros / scale.commits()));
        }
      }
      PairedBenchmark.Outcome outcome = new PairedBenchmark.Outcome(rounds);
      report.compareTimes(commitContent + ", until visible", outcome, Optional.of(CLOSE));
      report.remark(
          String.format(
              Locale.ROOT, "of which encoding %.2f ms", PairedBenchmark.median(encoding) / 1e3));
    }
  }

  private static double micros(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e3;
  }
}
