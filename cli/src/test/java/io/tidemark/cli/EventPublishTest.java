// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Events are published by the command, one by one or as lines of a file. */
class EventPublishTest extends EventCommandFixture {

  private Outcome withInput(String text, String... words) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      return run(words);
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void anEventIsPublishedAndListed() {
    assertThat(done("events", "list")).isEqualTo("no events");
    assertThat(publish("o1")).isEqualTo("published o1");
    assertThat(done("events", "list"))
        .startsWith("EVENT  CREATED")
        .containsPattern("o1 +2\\S+ +order.created +100 +pending +\\{\"order\":1}");
    assertThat(done("events", "publish", "order.paid", "--priority", "900", "--json"))
        .containsPattern("^\\{\"id\":\"[0-9a-f-]{36}\",\"namespace\":\"default\"")
        .contains("\"type\":\"order.paid\",\"payload\":{},\"created_at\":\"20")
        .contains("\"priority\":900,")
        .endsWith("\"chain_depth\":0,\"published\":true}");
    assertThat(done("events", "list", "--type", "order.paid", "--json"))
        .startsWith("[{\"id\":")
        .endsWith("\"chain_depth\":0,\"status\":\"pending\"}]");
    assertThat(done("events", "list", "--limit", "1")).contains("order.paid").doesNotContain("o1");
    assertThat(done("events", "list", "--status", "acked")).isEqualTo("no events");
    assertThat(stored("events/default")).isDirectoryContaining("glob:**_o1.json");
  }

  @Test
  void aPayloadComesFromAFileOrFromStandardInput() throws IOException {
    String file = file("order.json", "{\"order\": 2}");
    assertThat(done("events", "publish", "order.created", "@" + file, "--id", "o2"))
        .isEqualTo("published o2");
    assertThat(
            withInput("{\"order\":\n3}\n", "events", "publish", "order.created", "-", "--id", "o3")
                .out())
        .startsWith("published o3");
    assertThat(done("events", "list")).contains("{\"order\":2}", "{\"order\":3}");
    failed(1, "can't read nope: there is no such file", "events", "publish", "a.b", "@nope");
  }

  @Test
  void aPlaceThatIsNamedIsTakenWhateverServerIsUsual() throws Exception {
    String objects = directory.resolve("bus").toString();
    publish("o1", "--objects", objects);
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            TidemarkCommand.class.getName(),
            "events",
            "list",
            "--objects",
            objects);
    builder.environment().remove("TIDEMARK_DATA");
    builder.environment().put("TIDEMARK_SERVER", "http://localhost:1");
    Process process = builder.redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(told).contains("o1");
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void aPlaceOfItsOwnIsAnotherBus() {
    String objects = directory.resolve("bus").toString();
    publish("o1", "--objects", objects);
    assertThat(done("events", "list")).isEqualTo("no events");
    assertThat(done("events", "list", "--objects", objects)).contains("o1");
    Outcome two = plain("events", "list", "--objects", objects, "--server", "http://localhost:1");
    assertThat(two.exitCode()).isEqualTo(2);
    assertThat(two.err()).contains("--objects and a server are two places for events");
    assertThat(directory.resolve("bus/events/default")).isDirectory();
    Outcome elsewhere = plain("events", "list", "--data", "memory:");
    assertThat(elsewhere.exitCode()).isEqualTo(2);
    assertThat(elsewhere.err()).contains("say where they are with --objects");
  }

  @Test
  void manyEventsComeAsLines() throws IOException {
    String lines =
        """
        {"type":"order.created","payload":{"order":1},"id":"o1","priority":900}

        {"type":"order.paid","id":"o2"}
        """;
    assertThat(done("events", "publish", "--lines", file("lines", lines), "--priority", "7"))
        .isEqualTo("published 2 events");
    assertThat(done("events", "list", "--json"))
        .contains("\"priority\":900", "\"priority\":7", "\"payload\":{}");
    String copied = done("events", "tail", "--from-start", "--for", "0", "--json");
    assertThat(copied.lines()).hasSize(2);
    Outcome copy = withInput(copied, "events", "publish", "--lines", "-", "-n", "copy", "--json");
    assertThat(copy.err()).isEmpty();
    assertThat(copy.out().lines()).hasSize(2).allMatch(line -> line.contains("\"published\":true"));
    assertThat(done("events", "list", "-n", "copy")).contains("o1", "o2");
  }

  @Test
  void aWrongLineIsNamedAndThoseBeforeItArePublished() throws IOException {
    String lines = "{\"type\":\"a.b\"}\n{\"type\":\"a.b\",\"prio\":1}\n{\"type\":\"c.d\"}\n";
    failed(
        2,
        "lines.jsonl, line 2: an event has no \"prio\"; put what is your own into its payload"
            + " (1 event before it is published)",
        "events",
        "publish",
        "--lines",
        file("lines.jsonl", lines));
    assertThat(done("events", "list")).contains("a.b").doesNotContain("c.d");
    for (String wrong :
        new String[] {"{}", "[]", "{", "{\"type\":1}", "{\"type\":\"a\",\"priority\":\"x\"}"}) {
      failed(2, "line 1: ", "events", "publish", "--lines", file("wrong.jsonl", wrong));
    }
  }

  @Test
  void whatCantBePublishedIsSaid() {
    failed(2, "isn't a JSON object", "events", "publish", "a.b", "[]");
    failed(2, "is no JSON", "events", "publish", "a.b", "{");
    failed(2, "can't be called \"a/b\"", "events", "publish", "a/b");
    failed(2, "a namespace can't be called \"a/b\"", "events", "publish", "a.b", "-n", "a/b");
    failed(2, "an event can't be called \"..\"", "events", "publish", "a.b", "--id", "..");
    failed(2, "say the TYPE", "events", "publish");
    failed(2, "leave them out", "events", "publish", "a.b", "--lines", "-");
    String large = "{\"x\":\"" + "x".repeat(300_000) + "\"}";
    failed(2, "at most 262144 are allowed", "events", "publish", "a.b", large);
    assertThat(done("events", "list")).isEqualTo("no events");
  }
}
