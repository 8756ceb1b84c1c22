// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the tests of the verbs on features share: each verb is run as a command of its own, on a
 * database of its own.
 */
@ExtendWith(ServerExtension.class)
abstract class FeatureCommandFixture {

  record Outcome(int exitCode, String out, String err) {}

  @TempDir Path directory;

  String url;

  @BeforeEach
  void database(PostgresServer server) {
    url = server.createDatabase();
  }

  final Outcome run(String... words) {
    List<String> arguments = new ArrayList<>(List.of("features"));
    arguments.addAll(List.of(words));
    arguments.addAll(List.of("--jdbc", url));
    return plain(arguments.toArray(String[]::new));
  }

  /** Without the option for the database. */
  static Outcome plain(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.run(
            CommandDescriptor.all(), new PrintWriter(out, true), new PrintWriter(err, true), words);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  final String done(String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome.out().strip();
  }

  final void failed(int exitCode, String message, String... words) {
    assertFailed(exitCode, message, run(words));
  }

  static void assertFailed(int exitCode, String message, Outcome outcome) {
    assertThat(outcome.err()).contains(message).startsWith("tidemark: ").doesNotContain("\tat ");
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  final String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  /** With something on standard input. */
  final Outcome told(String input, String... words) {
    return told(input.getBytes(StandardCharsets.UTF_8), words);
  }

  final Outcome told(byte[] input, String... words) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input));
    try {
      return run(words);
    } finally {
      System.setIn(before);
    }
  }
}
