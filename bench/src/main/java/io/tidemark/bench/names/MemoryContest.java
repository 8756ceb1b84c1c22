// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.Report;
import io.tidemark.bench.Report.Goal;
import io.tidemark.names.MemoryNameBackend;
import java.util.Optional;

/** The nameservice in memory beside Nessie's storage in memory. */
final class MemoryContest {

  private final NamesScale scale;
  private final Report report;

  MemoryContest(NamesScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    try (Movers<?> ours = Movers.of(new NameRegisters(new MemoryNameBackend()), scale.records());
        Movers<?> nessie = Movers.of(new NessieRegisters(), scale.records())) {
      report.section("memory", "Nessie");
      new Contest(scale, scale.inMemory(), report)
          .fight(ours, nessie, setting -> Optional.of(Goal.atLeast(2)));
    }
  }
}
