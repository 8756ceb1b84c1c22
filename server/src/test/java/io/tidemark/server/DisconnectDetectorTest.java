// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.http.Routes;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long work is told when its caller has gone, and a connection serves further requests after. */
@Timeout(120)
final class DisconnectDetectorTest {

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch gone = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  private TidemarkServer start() {
    Routes routes =
        Routes.undescribed(
            List.of(
                new Route("POST", "/work", RequiredPermission.none(), this::work),
                new Route(
                    "GET",
                    "/live",
                    RequiredPermission.none(),
                    httpRequestContext -> RouteResponse.empty(204))));
    return TidemarkServer.start(
        ServerSettings.standard().withPort(0),
        new ServerComponents(routes),
        AccessControl.localOnly());
  }

  /** Works until it is told that it is done, or that the caller has gone. */
  private RouteResponse work(HttpRequestContext httpRequestContext) throws java.io.IOException {
    byte[] unused = httpRequestContext.bytes();
    try (AutoCloseable departure =
        httpRequestContext.onDisconnect(
            () -> {
              gone.countDown();
              done.countDown();
            })) {
      begun.countDown();
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return RouteResponse.empty(204);
  }

  private static String work(String body) {
    return RawHttpClient.head("POST /work", "Content-Length: " + body.length()) + body;
  }

  @Test
  void aCallerThatClosesItsConnectionHasGone() throws Exception {
    try (TidemarkServer server = start()) {
      try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
        rawHttpClient.send(work("x"));
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      }
      assertThat(gone.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aCallerThatOnlySaysThatItSendsNoMoreHasGone() throws Exception {
    try (TidemarkServer server = start();
        RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(work(""));
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      rawHttpClient.sendNoMore();
      assertThat(gone.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aConnectionThatWasWatchedServesTheNextRequest() throws Exception {
    try (TidemarkServer server = start();
        RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(work("x"));
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      done.countDown();
      assertThat(rawHttpClient.some(12)).asString().isEqualTo("HTTP/1.1 204");
      rawHttpClient.send(RawHttpClient.head("GET /live", "Connection: close"));
      assertThat(rawHttpClient.rest()).contains("HTTP/1.1 204");
      assertThat(gone.getCount()).isEqualTo(1);
    }
  }

  @Test
  void aRequestThatIsSentMeanwhileIsNoDeparture() throws Exception {
    try (TidemarkServer server = start();
        RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(work("x"));
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      rawHttpClient.send(RawHttpClient.head("GET /live", "Connection: close"));
      done.countDown();
      assertThat(rawHttpClient.rest().split("HTTP/1\\.1 204", -1)).hasSize(3);
      assertThat(gone.getCount()).isEqualTo(1);
    }
  }
}
