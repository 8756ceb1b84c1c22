// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.watch.FeedSettings;
import io.tidemark.server.Holdings;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.Gate;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many watchers at once, and many who come and go. */
@Timeout(600)
final class WatchCrowdTest {

  private static final boolean SOAK = Boolean.getBoolean("soak");

  private final NameService names = NameService.open("memory:");
  private RunningServer server;

  @BeforeEach
  void start() {
    WatchSettings settings =
        WatchSettings.standard().withFeed(new FeedSettings(Duration.ofMillis(50), 10));
    server =
        new RunningServer(
            Holdings.of(names), Gate.open(), ServerSettings.standard().withWatching(settings));
    names.create(Address.parse("a"));
  }

  @AfterEach
  void stop() {
    server.close();
    names.close();
  }

  private SocketChannel connect() throws IOException {
    URI uri = server.uri("/v1/watch");
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(uri.getHost(), uri.getPort()));
    String request =
        "GET /v1/watch HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  /** Reads until something is there that only comes with the snapshot's end. */
  private static void readReady(SocketChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    StringBuilder text = new StringBuilder();
    while (text.indexOf("event: ready") < 0) {
      assertThat(channel.read(bytes)).isNotNegative();
      text.append(StandardCharsets.US_ASCII.decode(bytes.flip()));
      bytes.clear();
    }
  }

  private static long openFiles() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  @Test
  void aStormOfConnectionsLeavesNothingBehind() throws Exception {
    try (SocketChannel first = connect()) {
      readReady(first);
    }
    Awaitility.await().until(() -> server.server().watching().size() == 0);
    long files = openFiles();
    int storm = SOAK ? 100_000 : 3_000;
    for (int i = 0; i < storm; i++) {
      try (SocketChannel channel = connect()) {
        if (i % 3 == 0) {
          readReady(channel); // the others go before they were answered
        }
      }
    }
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> server.server().watching().size() == 0);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> openFiles() <= files + 20);
    assertThat(server.get("/live").statusCode()).isEqualTo(200);
  }

  @Test
  void aThousandWhoWaitCostNoThreadsAndLittleMemory() throws Exception {
    try (SocketChannel first = connect()) {
      readReady(first);
    }
    int threads = threads();
    long heap = usedHeap();
    List<SocketChannel> all = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        SocketChannel channel = connect();
        all.add(channel);
        readReady(channel);
      }
      assertThat(server.server().watching().size()).isGreaterThanOrEqualTo(1000);
      // Those of the pool that answers requests come and go; none is there for a watcher.
      assertThat(threads() - threads).isLessThan(150);
      assertThat((usedHeap() - heap) / 1000).isLessThan(64 << 10);
    } finally {
      for (SocketChannel channel : all) {
        channel.close();
      }
    }
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> server.server().watching().size() == 0);
  }
}
