// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.Session;
import io.tidemark.objects.TidemarkException;
import java.time.LocalDate;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is done for the transaction log. */
final class LogUpkeep {

  static final String LOG = "naksha_tx";

  private static final int DAYS_AHEAD = 2;

  private final Session session;
  private final MaintainOptions options;
  private final Steps steps;

  LogUpkeep(Session session, MaintainOptions options) {
    this.session = session;
    this.options = options;
    this.steps = new Steps(session);
  }

  Upkeep run() {
    @Nullable String failure = null;
    try {
      LocalDate today = Partition.today(session);
      ahead(today);
      dropOld(today);
    } catch (TidemarkException e) {
      session.rollback();
      failure = e.getMessage();
    }
    return new Upkeep(LOG, steps.done(), null, failure);
  }

  private void ahead(LocalDate today) {
    Set<String> there =
        Partition.of(session, LOG).stream().map(Partition::name).collect(Collectors.toSet());
    for (int n = 0; n <= DAYS_AHEAD; n++) {
      LocalDate day = today.plusDays(n);
      String name = LOG + Partition.suffix(day);
      if (!there.contains(name)) {
        steps.step(
            Step.Kind.CREATED,
            name,
            () -> {
              session.call("SELECT %s.naksha_partition('naksha_tx', ?, '{}')", day);
              return "";
            });
      }
    }
  }

  private void dropOld(LocalDate today) {
    if (options.logDays().isEmpty()) {
      return;
    }
    LocalDate oldest = today.minusDays(options.logDays().getAsLong());
    for (Partition partition : Partition.of(session, LOG)) {
      if (partition.isBefore(oldest)) {
        drop(partition);
      }
    }
  }

  private void drop(Partition partition) {
    String table = session.place().table(partition.name());
    if (session.yes("SELECT EXISTS (SELECT FROM " + table + " WHERE seq_number IS NULL)")) {
      steps.skip(partition.name(), "it has transactions without a number; start a sequencer");
      return;
    }
    steps.step(
        Step.Kind.DROPPED,
        partition.name(),
        () -> {
          boolean gone = session.yes("SELECT %s.naksha_tx_drop(?)", partition.first());
          return gone ? "" : "not yet: a transaction without a number came in between";
        });
  }
}
