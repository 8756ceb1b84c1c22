// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** That all who are compared answer alike; what comes out is for people to judge. */
class QueryBenchTest {

  private final QueryScale tiny =
      new QueryScale(
          new QueryDataset(100, 6, 30, Integer.MAX_VALUE),
          new QueryDataset(400, 2, 200, 50),
          new QueryDataset(200, 4, 50, Integer.MAX_VALUE),
          1);
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final Report report = new Report(out, Form.JSON);

  @TempDir private Path place;

  private List<String> lines(String section) {
    Stream<String> lines = bytes.toString(StandardCharsets.UTF_8).lines();
    return lines.filter(line -> line.contains(section)).toList();
  }

  @Test
  void smallCommitsAreAskedInEveryWay() throws Exception {
    new ManySmallCommits(place, tiny, report).run();

    assertThat(lines("6 commits x 30 rows, warm\",\"peer\":\"floor")).hasSize(7);
    assertThat(lines("6 commits x 30 rows, warm\",\"peer\":\"Iceberg")).hasSize(6);
    assertThat(lines("files read each time")).hasSize(6);
    assertThat(lines("the first query after a commit")).hasSize(1);
    assertThat(lines("compacted, file read, ledger open")).hasSize(6);
    assertThat(lines("compacted, file read, opened each time")).hasSize(7);
    assertThat(lines("compacted, fetched and read")).hasSize(6);
    assertThat(lines("<= 1.5")).hasSize(12);
    assertThat(lines("<= 1.0")).as("with a goal").hasSize(5);
  }

  @Test
  void sqlInAProcessIsComparedWithThisProcessAndTheFloor() throws Exception {
    new SqlIsolation(place, tiny, report).run();

    assertThat(lines("SQL on 200 rows, in a process\",\"peer\":\"this process")).hasSize(6);
    assertThat(lines("SQL on 200 rows, in a process\",\"peer\":\"floor")).hasSize(5);
  }

  /** What differs from the other is the size, which here is tiny. */
  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  void manyRowsAreAskedInEveryWay() throws Exception {
    new VeryManyRows(place, tiny, report).run();

    assertThat(lines("400 rows, warm")).hasSize(7);
    assertThat(lines(">= 5.0")).hasSize(1);
    assertThat(lines(">= 20.0")).hasSize(1);
    assertThat(lines("200 MB of memory")).hasSize(1);
  }
}
