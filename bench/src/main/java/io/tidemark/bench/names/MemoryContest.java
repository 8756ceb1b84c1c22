// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
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
    try (Movers<?> heads = Movers.of(new NameRegisters(new MemoryNameBackend()), scale.records());
        Movers<?> payloads =
            Movers.of(new PayloadRegisters(new MemoryNameBackend()), scale.records());
        Movers<?> nessie = Movers.of(new NessieRegisters(), scale.records())) {
      Contest contest = new Contest(scale, scale.inMemory(), report);
      report.section("memory, heads of ledgers", "Nessie");
      contest.fight(heads, nessie, setting -> Optional.of(Goal.atLeast(2)));
      report.section("memory, payloads from text", "Nessie");
      contest.fight(payloads, nessie, setting -> Optional.empty());
      report.remark("Nessie moves pointers, which need no parsing");
    }
  }
}
