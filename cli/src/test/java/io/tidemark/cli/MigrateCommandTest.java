// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb that converts older forms, run on a directory as earlier programs left it. */
class MigrateCommandTest {

  private static final String BODY =
      "{\"@type\": [\"f:Database\"], \"f:commit\": {\"@id\": \"c9\"}, \"f:t\": 9}";

  private record Outcome(int exitCode, String out, String err) {}

  @TempDir private Path data;

  private Outcome run(String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.add("--data");
    arguments.add(data.toString());
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        TidemarkCommand.run(
            CommandDescriptor.all(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private void place(String key, String text) throws IOException {
    Path file = data.resolve(key);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void caseFiftyFiveADryRunSaysWhatApplyDoes() throws IOException {
    place("ns@v1/led@dev.json", BODY);
    place("ns@v1/a/b/main.json", BODY);
    place(
        "led.json",
        "{\"ledgerAlias\":\"led\",\"branches\":[{\"commit\":{\"address\":\"c1\",\"data\":{\"t\":1}}}]}");

    assertThat(run("migrate"))
        .isEqualTo(
            new Outcome(
                0,
                """
                FROM                 FORM       RECORD    OUTCOME      NOTE
                ns@v1/a/b/main.json  v1 nested  a/b:main  convertible
                ns@v1/led@dev.json   v1 flat    led:dev   convertible
                led.json             root file  led:main  convertible

                3 convertible, 0 superseded, 0 failed; nothing was written, run it with --apply to convert
                """,
                ""));
    assertThat(run("list").out()).isEqualTo("no records\n");
    assertThat(run("migrate", "--apply"))
        .isEqualTo(
            new Outcome(
                0,
                """
                FROM                 FORM       RECORD    OUTCOME    NOTE
                ns@v1/a/b/main.json  v1 nested  a/b:main  converted
                ns@v1/led@dev.json   v1 flat    led:dev   converted
                led.json             root file  led:main  converted

                3 converted, 0 superseded, 0 failed
                """,
                ""));
    assertThat(run("list").out())
        .isEqualTo(
            """
            ADDRESS   KIND    STATE  HEAD  INDEX
            a/b:main  ledger  ready  9 c9  unborn
            led:dev   ledger  ready  9 c9  unborn
            led:main  ledger  ready  1 c1  unborn
            """);
    assertThat(run("migrate", "--apply"))
        .isEqualTo(new Outcome(0, "nothing is in an older form\n", ""));
    assertThat(data.resolve("led.json")).doesNotExist();
  }

  @Test
  void whatFailsIsNamedAndEndsWithOne() throws IOException {
    place("ns@v2/bad/main.json", "{");
    place("ns@v2/mydb/main.json", BODY);
    Outcome outcome = run("migrate", "--apply");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("ns@v2/bad/main.json") && line.contains("is no JSON"))
        .contains("ns@v2/mydb/main.json  v2 ledger#  mydb:main  converted")
        .endsWith(
            "1 converted, 0 superseded, 1 failed",
            "What failed is as it was: do what its note says, then run this again.");
    assertThat(run("migrate").out())
        .contains("0 convertible, 0 superseded, 1 failed; nothing was written\n");
  }

  @Test
  void programsGetTheSameAsJson() throws IOException {
    place("ns@v1/led@dev.json", BODY);
    place("ns@v1/no name@dev.json", BODY);
    assertThat(run("migrate", "--json").out())
        .isEqualTo(
            """
            {"applied":false,"converted":1,"superseded":0,"failed":1,"objects":[\
            {"from":"ns@v1/led@dev.json","form":"v1 flat","record":"led:dev",\
            "outcome":"converted","note":""},\
            {"from":"ns@v1/no name@dev.json","form":"v1 flat","record":null,\
            "outcome":"failed","note":"the address \\"no name\\" has a name that isn't allowed; \
            use letters, digits, '.', '_' and '-', in parts joined by '/', \
            none of them '.' or '..'"}]}
            """);
  }

  @Test
  void theHelpHasExamplesAndTheExitCodes() {
    assertThat(run("migrate", "--help").out())
        .contains(
            "tidemark migrate --apply", "writes nothing", "Exit code 1: ", "connection.json.");
  }
}
