// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.names.MemoryNameBackend;
import java.util.Optional;

/** The nameservice in memory beside Nessie's storage in memory. */
final class MemoryComparison {

  private final NamesBenchScale scale;
  private final Report report;

  MemoryComparison(NamesBenchScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    try (RegisterWriters<?> heads =
            RegisterWriters.of(new NameRegisters(new MemoryNameBackend()), scale.records());
        RegisterWriters<?> payloads =
            RegisterWriters.of(new PayloadRegisters(new MemoryNameBackend()), scale.records());
        RegisterWriters<?> nessie = RegisterWriters.of(new NessieRegisters(), scale.records())) {
      NamesComparison namesComparison = new NamesComparison(scale, scale.inMemory(), report);
      report.section("memory, heads of ledgers", "Nessie");
      namesComparison.compare(heads, nessie, setting -> Optional.of(Goal.atLeast(2)));
      report.section("memory, payloads from text", "Nessie");
      namesComparison.compare(payloads, nessie, setting -> Optional.empty());
      report.remark("Nessie moves pointers, which need no parsing");
    }
  }
}
