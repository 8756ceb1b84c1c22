// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class ServerLogTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ServerLog log = new ServerLog(new PrintStream(bytes, true, StandardCharsets.UTF_8));
  private final Logger logger = log.getLoggerFactory().getLogger("io.tidemark.access");

  @AfterEach
  void back() {
    ServerLog.use(LogFormat.TEXT);
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aLineOfJsonHasWhatProgramsGoBy() throws Exception {
    ServerLog.use(LogFormat.JSON);
    log.getMDCAdapter().put("request", "r1");
    logger
        .atInfo()
        .addKeyValue("status", 200)
        .addKeyValue("ms", 1.5)
        .addKeyValue("route", "/v1/names/{address}")
        .log("{} {}", "GET", "/v1/names/{address}");
    JsonNode json = new JsonMapper().readTree(written());
    assertThat(json.path("level").asText()).isEqualTo("info");
    assertThat(json.path("logger").asText()).isEqualTo("io.tidemark.access");
    assertThat(json.path("message").asText()).isEqualTo("GET /v1/names/{address}");
    assertThat(json.path("request").asText()).isEqualTo("r1");
    assertThat(json.path("status").isIntegralNumber()).isTrue();
    assertThat(json.path("ms").asDouble()).isEqualTo(1.5);
    assertThat(written().lines()).hasSize(1);
  }

  @Test
  void nobodyCanMakeUpALine() {
    logger.warn("bad name {}", "x\n2026-01-01 INFO all is well");
    assertThat(written().lines()).hasSize(1);
  }

  @Test
  void whatALibraryHasToSayIsLeftOutUnlessItWarns() {
    Logger library = log.getLoggerFactory().getLogger("org.eclipse.jetty.server.Server");
    library.info("started");
    assertThat(written()).isEmpty();
    library.warn("stops");
    assertThat(written()).contains("WARN org.eclipse.jetty.server.Server: stops");
  }

  @Test
  void aThreadThatIsStartedMeanwhileHasNothingToDoWithTheRequest() throws Exception {
    log.getMDCAdapter().put("request", "r1");
    Thread other = new Thread(() -> logger.info("from elsewhere"));
    other.start();
    other.join();
    logger.info("from here");
    assertThat(written().lines().filter(line -> line.contains("request=r1")))
        .singleElement()
        .asString()
        .contains("from here");
  }
}
