// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.bench.BenchCommand;
import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Form;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.testkit.servers.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** That the benchmarks measure what they say; what comes out is for people to judge. */
class NamesBenchTest {

  private static final List<String> SETTINGS =
      List.of(
          "1 thread, one record", "1 thread, 8 records",
          "8 threads, one record", "8 threads, 8 records");

  private final NamesBenchScale tiny =
      new NamesBenchScale(32, 1, 8, 32, 32, 32, 200, Duration.ofMillis(30));
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final Report report = new Report(out, Form.JSON);

  @TempDir private Path place;

  private Stream<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines();
  }

  /** The names of what was measured in a part of the report. */
  private Stream<String> measured(String place) {
    String start = "{" + place + ",\"what\":\"";
    return lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length(), line.indexOf('"', start.length())));
  }

  @Test
  void memoryIsMeasuredBesideNessie() throws Exception {
    new MemoryComparison(tiny, report).run();
    assertThat(measured("\"section\":\"memory, heads of ledgers\",\"peer\":\"Nessie\""))
        .containsExactlyElementsOf(SETTINGS);
    assertThat(measured("\"section\":\"memory, payloads from text\",\"peer\":\"Nessie\""))
        .containsExactlyElementsOf(SETTINGS);
    assertThat(lines().filter(line -> line.contains("\"goal\":\">= 2.0\""))).hasSize(4);
  }

  @Test
  void theDirectoryIsMeasuredBesideItsFloorAndPostgres() throws Exception {
    new DirectoryComparison(place, Path.of(System.getProperty("java.io.tmpdir")), tiny, report)
        .run();
    assertThat(measured("\"section\":\"directory, sync\",\"peer\":\"bare files\""))
        .containsExactlyElementsOf(SETTINGS);
    assertThat(measured("\"section\":\"directory, sync\",\"peer\":\"PostgreSQL\""))
        .containsExactlyElementsOf(SETTINGS);
    assertThat(lines().filter(line -> line.contains("\"goal\":\">= 0.8\""))).hasSize(4);
    assertThat(lines().filter(line -> line.contains("\"goal\":\">= 1.0\"")))
        .singleElement()
        .asString()
        .contains("PostgreSQL", "8 threads, 8 records");
  }

  @Test
  void postgresThatDoesNotWaitForTheDiskIsRefused() {
    try (PostgresServer careless = PostgresServer.start()) {
      assertThatThrownBy(() -> new PostgresRegisters(careless.jdbcUrl()))
          .hasMessage(
              "PostgreSQL has fsync=off, so its rate isn't a durable one; start it with fsync=on");
    }
  }

  @Test
  void dynamoDbIsMeasuredBesideTheBareClient() throws Exception {
    new DynamoDbComparison(tiny, report).run();
    assertThat(measured("\"section\":\"DynamoDB, on loopback\",\"peer\":\"bare client\""))
        .containsExactlyElementsOf(SETTINGS);
  }

  @Test
  void s3IsMeasuredBesideTheBareClientAndItsRequestsAreCounted() throws Exception {
    new S3Comparison(tiny, report).run();
    assertThat(measured("\"section\":\"S3, on loopback\",\"peer\":\"bare client\""))
        .containsExactlyElementsOf(SETTINGS);
    assertThat(lines())
        .filteredOn(line -> line.contains("\"remark\""))
        .singleElement()
        .asString()
        .containsPattern("requests a push: [0-9] by who wrote last, [0-9] to a record never read");
  }

  @Test
  void manyRecordsAreListedFoundAndHeld() throws Exception {
    new ManyRecords(place, tiny, report).run();
    for (String where : List.of("memory", "directory", "S3, on loopback")) {
      assertThat(measured("\"section\":\"" + where + ", 200 records\""))
          .containsExactly(
              "list all, a record",
              "list one in 100, a record",
              "look up, median",
              "look up, 99 of 100 within",
              "heap held, after collection");
    }
  }

  @Test
  void everyWriterOfAHotRecordIsCounted() throws Exception {
    new HotRecord(place, tiny, report).run();
    for (String where : List.of("memory", "directory, sync")) {
      assertThat(measured("\"section\":\"" + where + ", 16 writers on one record\""))
          .containsExactly("from reading it to having moved it", "moves a writer");
    }
    assertThat(lines().filter(line -> line.contains("\"least\":0"))).isEmpty();
  }

  @Test
  void percentilesAreOfTheSortedValues() {
    long[] values = {50, 10, 40, 20, 30};
    assertThat(Percentile.of(values, 0)).isEqualTo(10);
    assertThat(Percentile.of(values, 50)).isEqualTo(30);
    assertThat(Percentile.of(values, 99)).isEqualTo(40);
    assertThat(Percentile.of(values, 100)).isEqualTo(50);
  }

  @Test
  void aMissedGoalSetsTheExitCode() {
    BenchOptions options = new BenchOptions();
    report.section("memory", "Nessie");
    report.reportFairness("met", 5, 10, Goal.atLeast(0.5));
    assertThat(options.verdict(report)).isZero();

    report.reportFairness("not met", 4, 10, Goal.atLeast(0.5));
    assertThat(report.missed()).containsExactly("memory beside Nessie: not met");
    assertThat(options.verdict(report)).isEqualTo(1);
  }

  @Test
  void onePartCanBeMeasuredAloneAndAnUnknownOneIsRefused() {
    StringWriter errors = new StringWriter();
    CommandLine command = new CommandLine(new BenchCommand()).setErr(new PrintWriter(errors, true));
    assertThat(command.execute("names", "--only", "kitchen")).isEqualTo(2);
    assertThat(errors.toString())
        .contains("there is no part 'kitchen'; write memory, directory, dynamodb, s3, many or hot");

    PrintStream console = System.out;
    System.setOut(out);
    try {
      assertThat(command.execute("names", "--quick", "--json", "--only", "memory")).isZero();
    } finally {
      System.setOut(console);
    }
    assertThat(lines()).isNotEmpty().allMatch(line -> line.startsWith("{\"section\":\"memory, "));
  }
}
