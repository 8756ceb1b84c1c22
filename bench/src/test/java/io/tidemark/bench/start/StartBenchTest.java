// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.measure.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartBenchTest {

  @TempDir private Path directory;

  /** Building the command takes minutes, so a script that notes its arguments stands for it. */
  @Test
  void launcherVersionListAndQueryAreStartedInTurnWithABareJvm() throws Exception {
    Path noted = directory.resolve("noted");
    Path script =
        Files.writeString(
            directory.resolve("tidemark"),
            "#!/bin/sh\necho \"$1 ${TIDEMARK_JAVA_OPTS-}\" >>'%s'\n".formatted(noted));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Report report =
        new Report(new PrintStream(out, true, StandardCharsets.UTF_8), Report.Form.JSON);

    new StartTimes(script, directory, 1, report).run();

    // One start warms up, one counts.
    assertThat(Files.readAllLines(noted))
        .containsExactly(
            "ledger ",
            "commit ",
            " -version",
            " -version",
            "--version ",
            "--version ",
            "list ",
            "list ",
            "query ",
            "query ");
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .extracting(
            line -> line.replaceAll(".*\"what\":\"([^\"]*)\".*\"goal\":([^,]*),.*", "$1 $2"))
        .isEqualTo(
            List.of(
                "launcher and JVM null",
                "--version \"<= 2.5\"",
                "list \"<= 5.0\"",
                "query of one row \"<= 12.5 or 2/s\""));
  }
}
