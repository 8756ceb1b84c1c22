// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.watch.FeedSettings;
import io.tidemark.server.ResourceUsage;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many watchers at once, and many who come and go. */
@Timeout(600)
final class ManyWatchersTest {

  private static final boolean SOAK = Boolean.getBoolean("soak");

  /** How many come back at once. */
  private static final int CROWD = 4;

  private final NameService names = NameService.open("memory:");
  private RunningServer server;

  @BeforeEach
  void start() {
    WatchSettings settings =
        WatchSettings.standard().withFeed(new FeedSettings(Duration.ofMillis(50), 10));
    server =
        new RunningServer(
            ServerResources.of(names),
            AccessControl.localOnly(),
            ServerSettings.standard().withWatching(settings));
    names.create(Address.parse("a"));
  }

  @AfterEach
  void stop() {
    server.close();
    names.close();
  }

  private SocketChannel connect(String... headers) throws IOException {
    URI uri = server.uri("/v1/watch");
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(uri.getHost(), uri.getPort()));
    StringBuilder request = new StringBuilder("GET /v1/watch HTTP/1.1\r\nHost: localhost\r\n");
    request.append("Accept: text/event-stream\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    channel.write(ByteBuffer.wrap((request + "\r\n").getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  /** Reads until something is there that only comes with the snapshot's end. */
  private static void readReady(SocketChannel channel) throws IOException {
    readTo(channel, "event: ready");
  }

  private static void readTo(SocketChannel channel, String end) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      assertThat(channel.read(bytes)).as("%s, after %s", end, text).isNotNegative();
      text.append(StandardCharsets.US_ASCII.decode(bytes.flip()));
      bytes.clear();
    }
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  /** Comes back with the last id, until all have; most go before they were answered. */
  private Void comeBack(String id, AtomicInteger left) throws IOException {
    for (int i = left.decrementAndGet(); i >= 0; i = left.decrementAndGet()) {
      try (SocketChannel channel = connect("Last-Event-ID: " + id)) {
        if (i % 3 == 0) {
          readTo(channel, "event: change"); // and nothing anew
        }
      }
    }
    return null;
  }

  @Test
  void aStormOfConnectionsLeavesNothingBehindAndKeepsNobodyWaiting() throws Exception {
    String id;
    try (SseClient first = SseClient.open(server.uri("/v1/watch"))) {
      first.snapshot();
      id = first.lastId().orElseThrow();
      names.create(Address.parse("b"));
      first.expect("change");
    }
    Awaitility.await().until(() -> server.server().watchHub().size() == 0);
    ResourceUsage before = ResourceUsage.now();
    AtomicInteger left = new AtomicInteger(SOAK ? 100_000 : 3_000);
    ExecutorService crowd = Executors.newFixedThreadPool(CROWD);
    List<Future<Void>> members = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      members.add(crowd.submit(() -> comeBack(id, left)));
    }
    do {
      assertThat(server.get("/live").statusCode()).isEqualTo(200);
      assertThat(server.get("/v1/names/a").statusCode()).isEqualTo(200);
    } while (!members.stream().allMatch(Future::isDone));
    for (Future<Void> member : members) {
      member.get();
    }
    crowd.shutdown();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> server.server().watchHub().size() == 0);
    // A kilobyte for each of those who came would be three megabytes, or a hundred in the soak.
    before.awaitAgain(SOAK ? 32 << 20 : 16 << 20);
  }

  @Test
  void aThousandWhoWaitCostNoThreadsAndLittleMemory() throws Exception {
    try (SocketChannel first = connect()) {
      readReady(first);
    }
    int threads = threads();
    long heap = ResourceUsage.usedHeap();
    List<SocketChannel> all = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        SocketChannel channel = connect();
        all.add(channel);
        readReady(channel);
      }
      assertThat(server.server().watchHub().size()).isGreaterThanOrEqualTo(1000);
      // Those of the pool that answers requests come and go; none is there for a watcher.
      assertThat(threads() - threads).isLessThan(150);
      assertThat((ResourceUsage.usedHeap() - heap) / 1000).isLessThan(64 << 10);
    } finally {
      for (SocketChannel channel : all) {
        channel.close();
      }
    }
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> server.server().watchHub().size() == 0);
  }
}
