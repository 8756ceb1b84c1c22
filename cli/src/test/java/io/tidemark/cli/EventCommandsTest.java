// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events are handed out and settled by the command, and cleaned up. */
class EventCommandsTest extends EventCommandFixture {

  private static final String[] BY_ME = {"--handler", "mailer", "--session", "me"};

  private String claim(String... more) {
    return done(with(more, "events", "claim", "mailer", "--session", "me"));
  }

  @Test
  void whatIsClaimedIsAcknowledgedOnce() {
    publish("o1");
    publish("o2", "--priority", "900");
    assertThat(claim("--type", "order.paid")).isEqualTo("nothing to do");
    assertThat(claim("--limit", "2"))
        .containsPattern("(?s)EVENT .*LEASE UNTIL.*o2 .*o1 ")
        .endsWith(
            "when it is done: tidemark events ack EVENT --handler mailer --session me --data "
                + directory.resolve("data"));
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
  void whatToDoAfterwardsNamesThePlaceOfTheEvents() {
    String place = directory.resolve("my bus").toString();
    String[] there = {"--objects", place, "--namespace", "orders"};
    publish("o1", there);
    String claimed = claim(there);
    assertThat(claimed)
        .endsWith(
            "--handler mailer --session me --namespace orders --data "
                + directory.resolve("data")
                + " --objects '"
                + place
                + "'");
    assertThat(done(with(there, with(BY_ME, "events", "ack", "o1")))).isEqualTo("acknowledged o1");
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
    Outcome earlier = run("events", "cleanup", "--before", "yesterday");
    assertThat(earlier.out().strip()).isEqualTo("deleted 0 events, 0 claims");
    assertThat(earlier.err()).startsWith("tidemark: 'yesterday' is ");
    assertThat(done("events", "cleanup", "--before", "0s"))
        .isEqualTo(
            "deleted 1 event, 1 claim; kept 1 event of that age that isn't finished; --force"
                + " deletes them too");
    assertThat(done("events", "cleanup", "--before", "0s", "--force", "--sessions", "7d"))
        .isEqualTo("deleted 1 event, 0 claims, 0 sessions");
    assertThat(done("events", "list")).isEqualTo("no events");
    failed(2, "'x' is no time; say 2026-11-18T14:30:00Z", "events", "cleanup", "--before", "x");
    for (String option : List.of("--before", "--dead-letters", "--sessions")) {
      String told =
          option + " takes a time in the past, unlike '9999-01-01'; for all of them say 0s";
      failed(2, told, "events", "cleanup", option, "9999-01-01");
    }
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

  @Test
  void timesOfNothingAreRefused() {
    failed(2, "--max-skew takes a time from 1s", "events", "list", "--max-skew", "0s");
    failed(2, "--lease a time from 1s", "events", "claim", "mailer", "--lease", "0s");
  }
}
