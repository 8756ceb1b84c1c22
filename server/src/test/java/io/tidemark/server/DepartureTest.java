// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Need;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Routes;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long work is told when its caller has gone, and a connection serves further requests after. */
@Timeout(120)
final class DepartureTest {

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch gone = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  private TidemarkServer start() {
    Routes routes =
        Routes.undescribed(
            List.of(
                new Route("POST", "/work", Need.nothing(), this::work),
                new Route("GET", "/live", Need.nothing(), call -> Reply.empty(204))));
    return TidemarkServer.start(
        ServerSettings.standard().withPort(0), new Api(routes), Gate.open());
  }

  /** Works until it is told that it is done, or that the caller has gone. */
  private Reply work(Call call) throws java.io.IOException {
    byte[] unused = call.bytes();
    try (AutoCloseable departure =
        call.onDeparture(
            () -> {
              gone.countDown();
              done.countDown();
            })) {
      begun.countDown();
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return Reply.empty(204);
  }

  private static String work(String body) {
    return Peer.head("POST /work", "Content-Length: " + body.length()) + body;
  }

  @Test
  void aCallerThatClosesItsConnectionHasGone() throws Exception {
    try (TidemarkServer server = start()) {
      try (Peer peer = new Peer(server)) {
        peer.send(work("x"));
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      }
      assertThat(gone.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aCallerThatOnlySaysThatItSendsNoMoreHasGone() throws Exception {
    try (TidemarkServer server = start();
        Peer peer = new Peer(server)) {
      peer.send(work(""));
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      peer.sendNoMore();
      assertThat(gone.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aConnectionThatWasWatchedServesTheNextRequest() throws Exception {
    try (TidemarkServer server = start();
        Peer peer = new Peer(server)) {
      peer.send(work("x"));
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      done.countDown();
      assertThat(peer.some(12)).asString().isEqualTo("HTTP/1.1 204");
      peer.send(Peer.head("GET /live", "Connection: close"));
      assertThat(peer.rest()).contains("HTTP/1.1 204");
      assertThat(gone.getCount()).isEqualTo(1);
    }
  }

  @Test
  void aRequestThatIsSentMeanwhileIsNoDeparture() throws Exception {
    try (TidemarkServer server = start();
        Peer peer = new Peer(server)) {
      peer.send(work("x"));
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      peer.send(Peer.head("GET /live", "Connection: close"));
      done.countDown();
      assertThat(peer.rest().split("HTTP/1\\.1 204", -1)).hasSize(3);
      assertThat(gone.getCount()).isEqualTo(1);
    }
  }
}
