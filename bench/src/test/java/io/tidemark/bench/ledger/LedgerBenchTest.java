// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.BenchCommand;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Form;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestCounts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** That the benchmarks measure what they say; what comes out is for people to judge. */
class LedgerBenchTest {

  private static final List<String> CELLS =
      List.of(
          "1 new row a commit",
          "50 new rows a commit",
          "50 changed rows a commit",
          "1,000 new rows a commit");

  private static final List<String> TRIPS =
      List.of(
          "1 new row, until visible",
          "50 new rows, until visible",
          "50 changed rows, until visible",
          "1,000 new rows, until visible");

  private final LedgerScale tiny = new LedgerScale(2, 1, 2, 12, 2_000, 1);
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final Report report = new Report(out, Form.JSON);

  @TempDir private Path place;

  private Stream<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines();
  }

  /** The names of what was measured in a part of the report. */
  private List<String> measured(String place) {
    String start = "{" + place + ",\"what\":\"";
    return lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length(), line.indexOf('"', start.length())))
        .filter(what -> !what.startsWith("  "))
        .toList();
  }

  private void requireEveryDistanceOf(String where) {
    for (int distance : List.of(0, 10, 30)) {
      String section = "\"section\":\"%s, %d ms more a request\"".formatted(where, distance);
      assertThat(measured(section + ",\"peer\":\"Iceberg\"")).isEqualTo(CELLS);
      assertThat(measured(section + ",\"peer\":\"2 trips\""))
          .isEqualTo(distance == 0 ? List.of() : TRIPS);
    }
    assertThat(lines().filter(line -> line.contains("\"goal\":\">= 3.0\""))).hasSize(9);
    assertThat(lines().filter(line -> line.contains("\"goal\":\"<= 1.3\""))).hasSize(8);
  }

  /** The distances are waited for, which takes a while; so a soak run will do. */
  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  void commitsInADirectoryAreMeasuredBesideIcebergAtEveryDistance() throws Exception {
    new CommitComparison(tiny, report).inDirectory(place);
    requireEveryDistanceOf("directory, sync");
  }

  /** The same on another store, for half a minute; so a soak run will do. */
  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  void commitsOnS3AreMeasuredBesideIcebergAtEveryDistance() throws Exception {
    new CommitComparison(tiny, report).onS3();
    requireEveryDistanceOf("S3, on loopback");
  }

  @Test
  void icebergWritesFourFilesACommitAndReadsTwo() {
    CommitContent commitContent = new CommitContent(50, CommitContent.Kind.NEW);
    try (MeasuredAppender peer =
        new MeasuredAppender(new MemoryBackend(), IcebergAppender::new, commitContent)) {
      peer.run(2);
      RequestCounts requestCounts = peer.requests(1);
      assertThat(requestCounts.of(Operation.PUT)).isEqualTo(4);
      assertThat(requestCounts.of(Operation.GET)).isEqualTo(2);
      assertThat(requestCounts.total()).isEqualTo(6);
      assertThat(requestCounts.roundTrips()).isEqualTo(6);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  void aLongHistoryIsMeasuredBesideAShortOne() throws Exception {
    new HistoryGrowth(place, tiny, report).run();
    assertThat(measured("\"section\":\"directory, sync, a commit of 1 row\""))
        .containsExactly("ledger", "Iceberg");
  }

  @Test
  void aBulkLoadIsMeasuredBesideDuckDb() throws Exception {
    new LedgerBulkLoad(place, tiny, report).run();
    assertThat(measured("\"section\":\"2,000 rows in one commit\",\"peer\":\"DuckDB\""))
        .containsExactly(
            "rows in memory; a table of DuckDB's",
            "rows in memory, both",
            "rows in a file of JSON lines, both",
            "the first with sync, which DuckDB doesn't");
    assertThat(lines().filter(line -> line.contains("\"goal\":\">= 0.5\""))).hasSize(3);
  }

  @Test
  void everyRoundIsToldToPrograms() throws Exception {
    LedgerScale threeRounds = new LedgerScale(2, 3, 1, 12, 100, 3);
    new LedgerBulkLoad(place, threeRounds, report).run();
    assertThat(lines().filter(line -> line.contains("\"rounds_us\"")))
        .hasSize(4)
        .allMatch(line -> line.matches(".*\"rounds_us\":\\[(\\[[0-9.]+,[0-9.]+\\],?){3}\\].*"));
  }

  @Test
  void anUnknownPartIsRefused() {
    StringWriter errors = new StringWriter();
    CommandLine command = new CommandLine(new BenchCommand()).setErr(new PrintWriter(errors, true));
    assertThat(command.execute("ledger", "--only", "kitchen")).isEqualTo(2);
    assertThat(errors.toString())
        .contains("there is no part 'kitchen'; write directory, s3, history or bulk");
  }
}
