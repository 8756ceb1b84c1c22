// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.terminal.SimulatedTerminal;
import io.tidemark.objects.MonotonicTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the tests of the verbs on ledgers share: each verb is run as a command of its own, on a
 * directory.
 */
abstract class LedgerCommandFixture {

  static final String TYPES =
      """
      [{"entity": "Customer", "key": "id", "fields": {"id": "string", "age": "long"}},
       {"entity": "Product", "key": "sku", "fields": {"sku": "string"}},
       {"relation": "Sub", "left": "Customer", "right": "Product", "fields": {"seats": "long"}}]
      """;

  static final String ROWS =
      """
      [{"type_kind":"entity","type_name":"Customer","fields":{"id":"c1","age":30}},
       {"type_kind":"entity","type_name":"Customer","fields":{"id":"c2","age":9}},
       {"type_kind":"entity","type_name":"Product","fields":{"sku":"p1"}},
       {"type_kind":"relation","type_name":"Sub","left_key":"c1","right_key":"p1",
        "fields":{"seats":5}}]
      """;

  record Outcome(int exitCode, String out, String err) {}

  @TempDir Path directory;

  final Outcome run(String... words) {
    StringWriter err = new StringWriter();
    return run(err, new PrintWriter(err, true), words);
  }

  /** Runs a verb on a terminal, where every look at the clock takes a second. */
  final Outcome watched(String... words) {
    AtomicLong seconds = new AtomicLong();
    MonotonicTime time =
        new MonotonicTime() {
          @Override
          public long nanos() {
            return Duration.ofSeconds(seconds.incrementAndGet()).toNanos();
          }

          @Override
          public void pause(Duration duration) {
            throw new AssertionError("nobody waits here");
          }
        };
    StringWriter err = new StringWriter();
    return run(err, new SimulatedTerminal(err, time), words);
  }

  private Outcome run(StringWriter err, PrintWriter errors, String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    if (!arguments.contains("--server")) {
      arguments.addAll(List.of("--data", directory.resolve("data").toString()));
    }
    if (words[0].equals("query") || words[0].equals("sql")) {
      arguments.addAll(List.of("--cache", directory.resolve("cache").toString()));
    }
    StringWriter out = new StringWriter();
    int exitCode =
        TidemarkCommand.run(
            CommandDescriptor.all(),
            new PrintWriter(out, true),
            errors,
            arguments.toArray(String[]::new));
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  final String done(String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome.out().strip();
  }

  final void failed(int exitCode, String message, String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).contains(message).startsWith("tidemark: ").doesNotContain("\tat ");
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  final String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  final Path objects(String path) {
    return directory.resolve("data/ledgers/crm").resolve(path);
  }

  /** A ledger with four rows in one commit. */
  final void crm() throws IOException {
    done("ledger", "init", "crm");
    crmCommitted();
  }

  final String age(String id, int age) throws IOException {
    String row = file("row.jsonl", "{\"id\":\"" + id + "\",\"age\":" + age + "}\n");
    return done("commit", "crm", row, "--type", "Customer", "-m", "age " + age, "--meta", "by=me");
  }

  final void crmCommitted() throws IOException {
    assertThat(
            done("commit", "crm", file("rows.json", ROWS), "--schema", file("types.json", TYPES)))
        .isEqualTo("commit 1: 4 rows written");
  }

  static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
    return matcher.group(1);
  }

  static String[] with(String[] more, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  static String help(String... words) {
    return plain(with(words, "help")).out();
  }

  /** Without the option for the data, which these don't take. */
  static Outcome plain(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.run(
            CommandDescriptor.all(), new PrintWriter(out, true), new PrintWriter(err, true), words);
    return new Outcome(exitCode, out.toString(), err.toString());
  }
}
