// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What holds for every request. */
final class FrontTest {

  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = RunningServer.inMemory();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void saysThatItLives() {
    HttpResponse<String> live = server.get("/live");
    assertThat(live.statusCode()).isEqualTo(200);
    assertThat(live.body()).isEqualTo("{\"status\":\"live\"}");
    assertThat(live.headers().firstValue("X-Request-Id")).isPresent();
  }

  @Test
  void anUnknownPathIsAProblem() {
    HttpResponse<String> answer = server.get("/v2/names");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(RunningServer.json(answer).path("code").asText()).isEqualTo("no-route");
  }

  @Test
  void aMethodThatAPathDoesNotTakeIsToldWithThoseItTakes() {
    HttpResponse<String> answer = server.send("DELETE", "/live", "");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void aNameWithASlashIsOneStep() {
    HttpResponse<String> answer = server.get("/v1/names/acme%2Fcrm:main");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(RunningServer.json(answer).path("detail").asText())
        .isEqualTo("there is no acme/crm:main; check the address, or create it");
  }
}
