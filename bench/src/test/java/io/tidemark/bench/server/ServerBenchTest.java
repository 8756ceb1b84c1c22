// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Form;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything is measured; how fast it is, is nobody's business here. */
final class ServerBenchTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Report report =
      new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8), Form.JSON);

  @TempDir private Path place;

  private long lines(String part) {
    return bytes.toString(StandardCharsets.UTF_8).lines().filter(l -> l.contains(part)).count();
  }

  @Test
  void requestsAreMeasuredBesideABareServerACatalogAndTheCall() throws Exception {
    new RequestBench(place, ServerScale.quick(), report).run();
    assertThat(lines("a bare server with the same bytes")).isEqualTo(6);
    assertThat(lines("Nessie's REST, in memory")).isEqualTo(20);
    assertThat(lines("a bare server that makes the same call")).isEqualTo(10);
    assertThat(lines("spread over as many records")).isEqualTo(6);
    assertThat(lines("forward, all to one record")).isEqualTo(2);
    assertThat(lines("from what was seen last, all to one record")).isEqualTo(2);
    assertThat(lines("commits of one row")).isEqualTo(2);
    assertThat(lines("queries of one row")).isEqualTo(2);
    assertThat(lines("\"goal\":\">= 0.7 or 10000/s\"")).isEqualTo(1);
  }

  @Test
  void watchersAreToldOfMoves() throws Exception {
    new WatcherBench(place, ServerScale.quick(), report).run();
    assertThat(lines("1000 deliveries of 100 moves")).isEqualTo(1);
    assertThat(lines("99 of 100 after")).isEqualTo(1);
  }
}
