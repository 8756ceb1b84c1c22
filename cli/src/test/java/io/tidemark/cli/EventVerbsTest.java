// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Events are published, handed out and settled by the command. */
class EventVerbsTest extends LedgerVerbs {

  private static final String[] BY_ME = {"--handler", "mailer", "--session", "me"};

  private String publish(String id, String... more) {
    return done(with(more, "events", "publish", "order.created", "{\"order\":1}", "--id", id));
  }

  private String claim(String... more) {
    return done(with(more, "events", "claim", "mailer", "--session", "me"));
  }

  private Path stored(String path) {
    return directory.resolve("data").resolve(path);
  }

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
  void aPlaceOfItsOwnIsAnotherBus() {
    String objects = directory.resolve("bus").toString();
    publish("o1", "--objects", objects);
    assertThat(done("events", "list")).isEqualTo("no events");
    assertThat(done("events", "list", "--objects", objects)).contains("o1");
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

  @Test
  void whatIsClaimedIsAcknowledgedOnce() {
    publish("o1");
    publish("o2", "--priority", "900");
    assertThat(claim("--type", "order.paid")).isEqualTo("nothing to do");
    assertThat(claim("--limit", "2"))
        .containsPattern("(?s)EVENT .*LEASE UNTIL.*o2 .*o1 ")
        .endsWith("when it is done: tidemark events ack EVENT --handler mailer --session me");
    assertThat(claim()).isEqualTo("nothing to do");
    assertThat(done("events", "list")).contains("claimed").doesNotContain("pending");
    assertThat(done(with(BY_ME, "events", "ack", "o1", "o2")))
        .isEqualToNormalizingNewlines("acknowledged o1\nacknowledged o2");
    assertThat(done(with(BY_ME, "events", "ack", "o1")))
        .as("as after an answer that was lost")
        .isEqualTo("acknowledged o1");
    assertThat(done("events", "claim", "other", "--json"))
        .startsWith("[{\"event_id\":\"o2\",\"handler_id\":\"other\",\"session_id\":\"cli-")
        .contains("\"attempt\":1", "\"idempotency_key\":\"default/o2/other\"")
        .contains("\"event\":{\"id\":\"o2\"");
    assertThat(stored("cursors/default/mailer.json")).content().contains("\"o1\"");
  }

  @Test
  void whoDoesntHaveAnEventIsToldWhoDoes() {
    publish("o1");
    claim();
    Outcome stale = run("events", "ack", "o1", "--handler", "mailer", "--session", "other");
    assertThat(stale.exitCode()).isEqualTo(6);
    assertThat(stale.out())
        .startsWith("no effect on o1: for mailer it is claimed until ")
        .contains(", last claimed by me");
    assertThat(run(with(BY_ME, "events", "release", "nope")).out())
        .contains("no effect on nope: there is no such event");
    Outcome json = run("events", "ack", "o1", "--handler", "nobody", "--session", "me", "--json");
    assertThat(json.out().strip())
        .isEqualTo(
            "[{\"event_id\":\"o1\",\"handler_id\":\"nobody\",\"session_id\":\"me\","
                + "\"result\":\"superseded\",\"claim\":null}]");
    assertThat(json.exitCode()).isEqualTo(6);
    done(with(BY_ME, "events", "ack", "o1"));
    assertThat(run(with(BY_ME, "events", "release", "o1")).exitCode()).isEqualTo(6);
    failed(2, "--session", "events", "ack", "o1", "--handler", "mailer");
  }

  @Test
  void whatFailsIsTriedAgainLater() {
    publish("o1");
    claim();
    assertThat(done(with(BY_ME, "events", "release", "o1", "--error", "no route")))
        .startsWith("released o1: 1 failure of 10, to be tried at 20");
    assertThat(done("events", "show", "o1"))
        .contains("status    pending", "no route")
        .containsPattern("mailer +to be tried");
    assertThat(done("events", "show", "o1", "--json"))
        .startsWith("{\"event_id\":\"o1\",\"status\":\"pending\",\"event\":{\"id\":\"o1\"")
        .contains("\"attempts\":1,\"lease_expiries\":0", "\"last_error\":\"no route\"")
        .endsWith("\"dead_letters\":[]}");
    failed(1, "there is no event nope in the namespace default", "events", "show", "nope");
  }

  @Test
  void whatIsGivenUpIsADeadLetterAndCanBeReplayed() throws IOException {
    publish("o1");
    claim();
    assertThat(done("events", "dead-letters")).isEqualTo("no dead letters");
    assertThat(
            done(with(BY_ME, "events", "release", "o1", "--give-up", "--error", "no such order")))
        .isEqualTo("gave o1 up after 1 failure");
    assertThat(done("events", "dead-letters"))
        .containsPattern("o1 +mailer +2\\S+ +1 +order.created +no such order");
    assertThat(done("events", "dead-letters", "--json"))
        .startsWith("[{\"event_id\":\"o1\",\"handler_id\":\"mailer\",\"namespace\":\"default\"")
        .contains("\"event_type\":\"order.created\",\"event\":{\"id\":\"o1\"");
    assertThat(done("events", "show", "o1"))
        .contains("status    dead_lettered", "dead letter  of mailer", "no such order");
    assertThat(done("events", "tail", "--from-start", "--for", "0", "--type", "event.dead_letter"))
        .contains("\"event_id\":\"o1\"");
    assertThat(done("events", "cleanup", "--before", "0s", "--json"))
        .startsWith("{\"namespace\":\"default\",\"before\":\"20")
        .endsWith("\"deleted\":1,\"claims\":1,\"dead_letters\":0,\"sessions\":0,\"kept\":1}");
    String replayed = done("events", "replay", "o1", "--json");
    assertThat(replayed)
        .startsWith("{\"replayed_event_id\":\"o1\",\"new_event_id\":\"")
        .endsWith("\"namespace\":\"default\"}");
    String again = found("new_event_id\":\"([^\"]+)", replayed);
    assertThat(done("events", "show", again)).contains("{\"order\":1}", "pending");
    failed(1, "there is no event nope", "events", "replay", "nope");
  }

  @Test
  void aCleanupKeepsWhatIsntFinishedUnlessItIsForced() throws IOException {
    publish("o1");
    publish("o2");
    claim();
    done(with(BY_ME, "events", "ack", "o1"));
    assertThat(done("events", "cleanup")).as("too young").isEqualTo("deleted 0 events, 0 claims");
    assertThat(done("events", "cleanup", "--before", "0s"))
        .isEqualTo(
            "deleted 1 event, 1 claim; kept 1 event of that age that isn't finished; --force deletes"
                + " them too");
    assertThat(done("events", "cleanup", "--before", "0s", "--force", "--sessions", "7d"))
        .isEqualTo("deleted 1 event, 0 claims, 0 sessions");
    assertThat(done("events", "list")).isEqualTo("no events");
    failed(2, "'x' is no age", "events", "cleanup", "--before", "x");
  }

  @Test
  void namespacesAndSessionsAreCounted() throws IOException {
    assertThat(done("events", "namespaces")).isEqualTo("no namespaces");
    assertThat(done("events", "sessions")).isEqualTo("no sessions");
    publish("o1", "--namespace", "orders");
    Path session = stored("sessions/orders/worker-1.json");
    Files.createDirectories(session.getParent());
    Files.writeString(
        session,
        """
        {"session_id":"worker-1","namespace":"orders","metadata":{"pid":17},
         "started_at":"2026-02-11T12:00:00+00:00","last_heartbeat":"2026-02-11T12:00:05+00:00"}
        """);
    assertThat(done("events", "namespaces"))
        .containsPattern("orders +1 +0 +1 +0")
        .doesNotContain("default");
    assertThat(done("events", "namespaces", "--json"))
        .isEqualTo(
            "[{\"namespace\":\"orders\",\"pending_events\":1,\"active_sessions\":0,"
                + "\"dead_sessions\":1,\"dead_letters\":0}]");
    assertThat(done("events", "sessions", "-n", "orders")).containsPattern("worker-1 +dead +2026");
    assertThat(done("events", "sessions", "-n", "orders", "--json"))
        .contains("\"is_dead\":true,\"metadata\":{\"pid\":17}");
    assertThat(done("events", "cleanup", "-n", "orders", "--sessions", "7d")).endsWith("1 session");
  }

  @Test
  void whatCantBeReadIsShownAsSuch() throws IOException {
    Path broken = stored("events/default/2026-02-11T12-00-00+00-00_broken.json");
    Files.createDirectories(broken.getParent());
    Files.writeString(broken, "{");
    assertThat(done("events", "tail", "--from-start", "--for", "0"))
        .startsWith("2026-02-11T12:00:00+00:00  broken  unreadable: it is no JSON");
    assertThat(done("events", "list", "--json"))
        .isEqualTo(
            "[{\"id\":\"broken\",\"namespace\":\"default\","
                + "\"created_at\":\"2026-02-11T12:00:00+00:00\",\"unreadable\":true,"
                + "\"status\":\"pending\"}]");
    assertThat(claim("--type", "order.created")).isEqualTo("nothing to do");
    assertThat(done("events", "dead-letters")).contains("broken", "mailer", "is no JSON");
  }
}
