// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Who is at work. */
interface SessionContract {

  EventsFixture fixture();

  @Test
  default void aSessionIsStoredAsItIsLaidOut() {
    ObjectNode metadata = CanonicalJson.object().put("hostname", "h").put("pid", 12_345);
    Instant started = fixture().now();
    fixture().namespace().sessions().register("s1", metadata);
    fixture().pass(Duration.ofSeconds(5));
    SessionInfo beaten = fixture().namespace().sessions().heartbeat("s1");

    ObjectNode json = fixture().json("sessions/" + NS + "/s1.json");
    assertThat(json.path("session_id").asText()).isEqualTo("s1");
    assertThat(json.path("namespace").asText()).isEqualTo(NS);
    assertThat(json.path("started_at").asText()).isEqualTo(UtcTimestamp.format(started));
    assertThat(json.path("last_heartbeat").asText())
        .isEqualTo(UtcTimestamp.format(started.plusSeconds(5)));
    assertThat(json.path("metadata").path("pid").asInt()).isEqualTo(12_345);
    assertThat(json.size()).isEqualTo(5);
    assertThat(only(fixture().other().sessions().list())).isEqualTo(beaten);
  }

  @Test
  default void j11_aHeartbeatOfASessionThatIsGoneBeginsItAnew() {
    Sessions sessions = fixture().namespace().sessions();
    sessions.register("s1", CanonicalJson.object().put("pid", 1));
    fixture().delete("sessions/" + NS + "/s1.json");
    fixture().pass(Duration.ofSeconds(5));

    sessions.heartbeat("s1");

    SessionInfo session = only(sessions.list());
    assertThat(session.metadata().isEmpty()).isTrue();
    assertThat(session.startedAt()).isEqualTo(fixture().now());
  }

  @Test
  default void aHeartbeatFromElsewhereKeepsWhatTheSessionSaid() {
    fixture().namespace().sessions().register("s1", CanonicalJson.object().put("pid", 1));
    fixture().other().sessions().heartbeat("s1");
    SessionInfo beaten = fixture().namespace().sessions().heartbeat("s1");

    assertThat(beaten.metadata().path("pid").asInt()).isEqualTo(1);
  }

  @Test
  default void j11_aSessionIsDeadWhenItWasNotHeardOfForLongerThanItsTime() {
    Sessions sessions = fixture().namespace().sessions();
    sessions.heartbeat("s1");
    fixture().pass(Duration.ofSeconds(60));
    sessions.heartbeat("s2");
    assertThat(sessions.list()).extracting(SessionInfo::dead).containsExactly(false, false);

    fixture().pass(Duration.ofNanos(1_000));

    assertThat(sessions.list()).extracting(SessionInfo::sessionId).containsExactly("s1", "s2");
    assertThat(sessions.list()).extracting(SessionInfo::dead).containsExactly(true, false);
  }

  @Test
  default void whatIsNoSessionIsPassedOverAndReplaced() {
    fixture().write("sessions/" + NS + "/s1.json", "{");
    assertThat(fixture().namespace().sessions().list()).isEmpty();

    fixture().namespace().sessions().heartbeat("s1");

    assertThat(fixture().namespace().sessions().list()).hasSize(1);
  }
}
