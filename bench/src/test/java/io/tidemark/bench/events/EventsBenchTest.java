// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Form;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the benchmark measures what it says; what comes out is for people to judge. */
class EventsBenchTest {

  private static final List<String> WORKERS = List.of("1 worker", "8 workers");

  private final EventsScale tiny = new EventsScale(16, 1, 16, 16, 10);
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Report report =
      new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8), Form.JSON);

  @TempDir private Path place;

  private Stream<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines();
  }

  /** The names of what was measured in a part of the report. */
  private Stream<String> measured(String part) {
    String start = "{" + part + ",\"what\":\"";
    return lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length(), line.indexOf('"', start.length())));
  }

  @Test
  void theDirectoryIsMeasuredBesideBareWritesAndPostgres() throws Exception {
    new EndToEndThroughput(tiny, report)
        .inDirectory(place, Path.of(System.getProperty("java.io.tmpdir")));
    assertThat(measured("\"section\":\"directory, sync\",\"peer\":\"bare writes\""))
        .containsExactlyElementsOf(WORKERS);
    assertThat(measured("\"section\":\"directory, sync\",\"peer\":\"SKIP LOCKED\""))
        .containsExactlyElementsOf(WORKERS);
    assertThat(lines().filter(line -> line.contains("\"goal\":\">= 0.6\""))).hasSize(2);
  }

  @Test
  void s3IsMeasuredBesideBareWrites() throws Exception {
    new EndToEndThroughput(tiny, report).onS3();
    assertThat(measured("\"section\":\"S3, on loopback\",\"peer\":\"bare writes\""))
        .containsExactlyElementsOf(WORKERS);
    assertThat(lines().filter(line -> line.contains("\"goal\":\">= 0.6\""))).hasSize(2);
  }

  @Test
  void anIdleLookIsMeasuredAfterMoreAndMoreEvents() throws Exception {
    new IdleCost(place, tiny, report).run();
    assertThat(lines().filter(line -> line.contains("requests a look"))).hasSize(4);
    assertThat(measured("\"section\":\"idle, in a directory\""))
        .containsExactly(
            "after 0 events, at once",
            "after 0 events, later",
            "after 10 events, at once",
            "after 10 events, later");
  }
}
