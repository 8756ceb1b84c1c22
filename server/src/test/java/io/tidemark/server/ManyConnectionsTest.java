// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.http.Limits;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.ParentLink;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * More connections than a server takes, each with half a request, and nobody is closed for being
 * slow. They come from another process, which needs as many files as the server does. With {@code
 * -Dsoak=true} there are ten thousand and some more.
 */
@Timeout(300)
final class ManyConnectionsTest {

  private static final int PLACES = Boolean.getBoolean("soak") ? 10_000 : 1_000;
  private static final int COMING = PLACES * 3 / 2;

  /** Connects so many times, says when it has, and stays. */
  static final class ConnectionSwarm {
    public static void main(String[] args) throws Exception {
      ParentLink parent = new ParentLink();
      parent.awaitStart();
      InetSocketAddress server =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
      ByteBuffer half =
          ByteBuffer.wrap("GET /live HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
      List<SocketChannel> all = new ArrayList<>();
      for (int i = Integer.parseInt(args[1]); i > 0; i--) {
        SocketChannel channel = SocketChannel.open(server);
        channel.write(half.duplicate());
        all.add(channel);
      }
      parent.printLine("all " + all.size());
      Thread.currentThread().join();
    }
  }

  @Test
  void moreConnectionsThanItTakesLeaveRoomForOthersAndNothingBehind() throws Exception {
    Limits limits =
        Limits.standard()
            .withPace(new Limits.Pace(Duration.ofMinutes(5), Duration.ofMinutes(5), 1))
            .withCrowd(new Limits.Concurrency(PLACES, 16, 6, 2));
    try (NameService names = NameService.open("memory:");
        RunningServer server =
            new RunningServer(
                ServerResources.of(names),
                AccessControl.localOnly(),
                ServerSettings.standard().withLimits(limits))) {
      names.create(Address.parse("a"));
      asksNow(server);
      ResourceUsage before = ResourceUsage.now();
      long most = 0;
      int mostOpen = 0;
      String port = Integer.toString(server.server().address().getPort());
      try (ChildJvm crowd = ChildJvm.start(ConnectionSwarm.class, port, Integer.toString(COMING))) {
        crowd.expectLine("ready").send("go");
        CompletableFuture<ChildJvm> there =
            CompletableFuture.supplyAsync(() -> crowd.expectLine("all " + COMING));
        while (!there.isDone()) {
          asksNow(server);
          most = Math.max(most, ResourceUsage.openFiles() - before.files());
          mostOpen = Math.max(mostOpen, server.server().connections());
        }
        there.join();
        asksNow(server);
        most = Math.max(most, ResourceUsage.openFiles() - before.files());
        mostOpen = Math.max(mostOpen, server.server().connections());
      }
      // From nine tenths on, those who wait the longest make room for others. A file is given back
      // when the selector comes by, so some are there of connections that are closed.
      assertThat(mostOpen).isBetween(PLACES * 7 / 10, PLACES + 1);
      assertThat(most).isBetween(PLACES * 7L / 10, PLACES * 5L / 4);
      before.awaitAgain(16 << 20);
      asksNow(server);
    }
  }

  private static void asksNow(RunningServer server) {
    assertThat(server.get("/live").statusCode()).isEqualTo(200);
    assertThat(server.get("/v1/names/a").statusCode()).isEqualTo(200);
  }
}
