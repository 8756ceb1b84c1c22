// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process, whose output goes nowhere. */
class StandardOutputTest {

  private record Outcome(int exitCode, String err) {}

  @TempDir private Path data;

  @Test
  void aReaderThatHasSeenEnoughIsNoFailure() throws Exception {
    assertThat(unread("list")).isEqualTo(new Outcome(0, ""));
    assertThat(unread("list", "--json")).isEqualTo(new Outcome(0, ""));
    assertThat(unread("--help")).isEqualTo(new Outcome(0, ""));
  }

  @Test
  void aFailureIsOneThoughNobodyReads() throws Exception {
    assertThat(unread("show", "nope"))
        .isEqualTo(
            new Outcome(
                1, "tidemark: there is no nope:main; 'tidemark list' shows what there is\n"));
  }

  @Test
  void aFullDiskIsAFailure() throws Exception {
    assertThat(ended(start("exec \"$@\" >/dev/full", "list")))
        .isEqualTo(new Outcome(1, "tidemark: can't write the output; is the disk full?\n"));
  }

  /** Runs the command with a pipe as its output that has been closed at the other end. */
  private Outcome unread(String... words) throws Exception {
    Process process = start("read -r && exec \"$@\"", words);
    process.getInputStream().close();
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return ended(process);
  }

  private Process start(String script, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/bash", "-c", script, "bash"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TidemarkCommand.class.getName());
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("TIDEMARK_DATA", data.toString());
    return builder.start();
  }

  private static Outcome ended(Process process) throws Exception {
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Outcome(process.exitValue(), err);
  }
}
