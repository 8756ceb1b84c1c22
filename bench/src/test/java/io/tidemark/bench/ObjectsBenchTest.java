// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Form;
import io.tidemark.bench.measure.Report.Goal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the benchmarks measure what they say; what comes out is for people to judge. */
class ObjectsBenchTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everyComparisonOfTheObjectStoresRuns(@TempDir Path place) throws Exception {
    Report report = new Report(out, Form.TABLE);
    ObjectsScale tiny = new ObjectsScale(1, 8, 8, 4, 100);
    new DirectoryBench(place, tiny, report).run();
    new S3Bench(tiny, report).run();
    assertThat(printed().lines().filter(line -> line.contains(" us ") || line.contains(" ms ")))
        .hasSize(4 + 4 + 2 + 4);
    assertThat(printed())
        .contains("CAS won 1, CAS lost 2 (one more to tell what is there), conditional get 1");
  }

  @Test
  void oneOddRoundDoesNotMoveTheMedian() {
    assertThat(PairedBenchmark.median(List.of(5.0, 1.0, 300.0))).isEqualTo(5.0);
    assertThat(PairedBenchmark.median(List.of(4.0, 1.0, 2.0, 900.0))).isEqualTo(3.0);
  }

  @Test
  void goalsThatAreMissedAreNamed() {
    Report report = new Report(out, Form.JSON);
    report.compareTimes("met", outcome(1.2, 1), Optional.of(Goal.atMost(1.3)));
    report.compareTimes("too \"slow\"", outcome(1.4, 1), Optional.of(Goal.atMost(1.3)));
    report.compareSpeed("fast enough", outcome(1, 2), Optional.of(Goal.atLeast(2)));
    report.compareTimes("free", outcome(9, 1), Optional.empty());
    assertThat(report.missed()).containsExactly("too \"slow\"");
    assertThat(printed().lines())
        .containsExactly(
            "{\"what\":\"met\",\"ours_us\":1.20,\"peer_us\":1.00,\"rounds_us\":[[1.20,1.00]],\"ratio\":1.200,\"goal\":\"<="
                + " 1.3\",\"met\":true}",
            "{\"what\":\"too"
                + " \\\"slow\\\"\",\"ours_us\":1.40,\"peer_us\":1.00,\"rounds_us\":[[1.40,1.00]],\"ratio\":1.400,\"goal\":\"<="
                + " 1.3\",\"met\":false}",
            "{\"what\":\"fast"
                + " enough\",\"ours_us\":1.00,\"peer_us\":2.00,\"rounds_us\":[[1.00,2.00]],\"ratio\":2.000,\"goal\":\">="
                + " 2.0\",\"met\":true}",
            "{\"what\":\"free\",\"ours_us\":9.00,\"peer_us\":1.00,\"rounds_us\":[[9.00,1.00]],\"ratio\":9.000,"
                + "\"goal\":null,\"met\":true}");
  }

  private static PairedBenchmark.Outcome outcome(double oursMicros, double peerMicros) {
    return new PairedBenchmark.Outcome(List.of(new PairedBenchmark.Round(oursMicros, peerMicros)));
  }
}
