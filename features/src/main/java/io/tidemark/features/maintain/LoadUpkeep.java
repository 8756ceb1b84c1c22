// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.Session;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Optional;

/** Drops the tables that loads have left behind that were killed. */
final class LoadUpkeep {

  static final String LOADS = "naksha_load";

  private final Session session;

  LoadUpkeep(Session session) {
    this.session = session;
  }

  /** What was dropped; empty when there was nothing. */
  Optional<Upkeep> run() {
    try {
      List<Step> dropped =
          session.texts("SELECT naksha_load_clean FROM %s.naksha_load_clean()").stream()
              .map(table -> new Step(Step.Kind.DROPPED, table, "a load was killed and left it"))
              .toList();
      session.commit();
      return dropped.isEmpty()
          ? Optional.empty()
          : Optional.of(new Upkeep(LOADS, dropped, null, null));
    } catch (TidemarkException e) {
      session.rollback();
      return Optional.of(new Upkeep(LOADS, List.of(), null, e.getMessage()));
    }
  }
}
