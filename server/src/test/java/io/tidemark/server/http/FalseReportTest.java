// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports of a selector that are late, as they are on a busy machine, are no departure. */
@Timeout(120)
final class FalseReportTest {

  private final CountDownLatch reported = new CountDownLatch(1);
  private final CountDownLatch gone = new CountDownLatch(1);
  private long goneBefore = -1;

  @Test
  void aReportWithNothingToReadIsNoDepartureAndTheWatchGoesOn() throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new Work());
    server.start();
    try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      caller.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
      assertThat(reported.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(goneBefore).isEqualTo(1);
      caller.close();
      assertThat(gone.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      server.stop();
    }
  }

  /** Watches its caller, and has the selector report three times although nothing came. */
  private final class Work extends Handler.Abstract {

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      Optional<DisconnectDetector> departure = DisconnectDetector.watch(request, gone::countDown);
      SocketChannelEndPoint connection =
          (SocketChannelEndPoint) request.getConnectionMetaData().getConnection().getEndPoint();
      for (int i = 0; i < 3; i++) {
        assertThat(connection.getFillInterest().fillable()).isTrue();
      }
      goneBefore = gone.getCount();
      reported.countDown();
      assertThat(gone.await(1, TimeUnit.MINUTES)).isTrue();
      departure.orElseThrow().close();
      callback.succeeded();
      return true;
    }
  }
}
