// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.features.FeaturesScale.Batches;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Form;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That every comparison runs; what comes out is for people to judge. */
class FeaturesBenchTest {

  private static final Path PLACE = Path.of(System.getProperty("java.io.tmpdir"));

  private final FeaturesScale tiny =
      new FeaturesScale(List.of(new Batches(1, 1), new Batches(10, 2)), 1, 1_200, 3, 2, 100, 100);
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final Report report = new Report(out, Form.JSON);

  private List<String> lines(String section) {
    Stream<String> lines = bytes.toString(StandardCharsets.UTF_8).lines();
    return lines.filter(line -> line.contains(section)).toList();
  }

  @Test
  void allWritesAreComparedWithTheBareOnesAndWithTheFloor() throws Exception {
    new WriteCosts(PLACE, CollectionShape.TABLE, tiny, report).run();

    assertThat(lines("batches of 1, server CPU a feature\",\"peer\":\"bare")).hasSize(4);
    assertThat(lines("batches of 10, by the clock\",\"peer\":\"floor")).hasSize(4);
    assertThat(lines("\"peer\":\"original")).hasSize(4).allMatch(l -> l.contains(">= 6.0"));
    assertThat(lines("<= ")).as("with a goal").hasSize(3);
  }

  @Test
  void readsAreTimedAmongYearsOfHistory() throws Exception {
    new ReadTimes(PLACE, tiny, report).run();

    assertThat(lines("1,200 features, 3 days of history")).hasSizeGreaterThanOrEqualTo(20);
    assertThat(lines("<= 1.0")).as("with a goal").hasSize(1);
  }

  @Test
  void aLoadIsComparedWithCopy() throws Exception {
    new FeatureBulkLoad(PLACE, tiny.loaded(), report).run(1, 2);

    assertThat(lines("100 features, 2 connections")).isNotEmpty();
    assertThat(lines("<= 1.5")).as("with a goal").hasSize(1);
  }

  @Test
  void loadsByFreshProcessesAreComparedWithCopyAndWithEachOther(@TempDir Path directory)
      throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path command =
        Files.writeString(
            directory.resolve("tidemark"),
            "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -cp '%s' io.tidemark.cli.TidemarkCommand \"$@\"\n"
                .formatted(java, classPath()));
    assertThat(command.toFile().setExecutable(true)).isTrue();

    new ColdLoad(command, PLACE, tiny.loadedCold(), report).run(2);

    assertThat(lines("100 features by a fresh process").stream().filter(l -> l.contains("ratio\"")))
        .hasSize(4);
    assertThat(lines("From run to run")).hasSize(2).allMatch(l -> l.contains("<= 1.15"));
    assertThat(lines("<= 1.5")).as("with a goal").hasSize(2);
  }

  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path", "");
    return surefire.isEmpty() ? System.getProperty("java.class.path") : surefire;
  }
}
