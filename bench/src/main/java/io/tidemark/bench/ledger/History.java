// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Report;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** What a commit of one row costs after many others, beside what it costs after few. */
final class History {

  private static final Load ONE_ROW = new Load(1, Load.Kind.NEW);

  private final Path place;
  private final LedgerScale scale;
  private final Report report;

  History(Path place, LedgerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    CommitContest.warmUp(scale);
    report.section(
        "directory, sync, a commit of 1 row", after(scale.history()), after(LedgerScale.YOUNG));
    compare("ledger", LedgerAppender::new);
    compare("Iceberg", IcebergAppender::new);
  }

  private static String after(int commits) {
    return "after %,d".formatted(commits);
  }

  private void compare(String who, Function<ObjectStore, Appender> appender) throws Exception {
    Path home = place.resolve("history-" + who);
    try (Side old = side(home.resolve("old"), appender, scale.history());
        Side young = side(home.resolve("young"), appender, LedgerScale.YOUNG)) {
      Duel.Outcome outcome = new Duel(scale.rounds(), scale.commits()).fight(old, young);
      report.compared(who, outcome, Optional.empty());
      report.weighed(
          "  KB written a commit",
          old.requests(scale.commits()).bytesWritten() / 1e3 / scale.commits(),
          young.requests(scale.commits()).bytesWritten() / 1e3 / scale.commits());
    }
  }

  private static Side side(Path home, Function<ObjectStore, Appender> appender, int commits) {
    Side side = new Side(DirectoryBackend.open(home, Durability.SYNC), appender, ONE_ROW);
    side.run(commits);
    return side;
  }
}
