// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.Report;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Many watchers, who are told of a hundred moves a second. */
final class WatcherBench {

  private static final int MOVES_A_SECOND = 100;
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);
  private static final Pattern MOVE = Pattern.compile("\"now\":\\{[^}]*\"commit_t\":(\\d+)");

  /** What a watcher was told of an event that isn't all there yet, and up to where it knows. */
  private static final class PartialEvents {
    private String text = "";
    private int known;
  }

  private final Path place;
  private final ServerScale scale;
  private final Report report;

  private final int moves;

  /** When each move began, by its number. */
  private final AtomicLongArray pushedAt;

  private final List<Double> delays = new ArrayList<>();

  WatcherBench(Path place, ServerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
    this.moves = scale.seconds() * MOVES_A_SECOND;
    this.pushedAt = new AtomicLongArray(moves + 1);
  }

  void run() throws Exception {
    try (NameService names = NameService.open(place.resolve("watchers").toString());
        TidemarkServer server =
            TidemarkServer.start(ServerSettings.standard().withPort(0), ServerResources.of(names));
        Selector selector = Selector.open()) {
      Address address = Address.parse("watched");
      names.create(address);
      double before = heldMebibytes();
      for (int i = 0; i < scale.watchers(); i++) {
        open(server.address(), selector);
      }
      long ready = System.nanoTime() + PATIENCE;
      int begun = 0;
      while (begun < scale.watchers() && System.nanoTime() < ready) {
        begun += read(selector, "event: ready");
      }
      report.section(scale.watchers() + " watchers", "", "");
      report.reportSize("memory while nothing moves, theirs included", heldMebibytes() - before);
      report.reportTime("processor time a second while nothing moves", idleMicrosASecond());
      Thread pushing = new Thread(() -> push(names, address), "bench-pushes");
      pushing.start();
      int due = scale.watchers() * moves;
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(scale.seconds()) + PATIENCE;
      while (delays.size() < due && System.nanoTime() < end) {
        read(selector, "event: change");
      }
      Expect.equal(due, delays.size());
      report.reportSize("memory after that", heldMebibytes() - before);
      List<Double> sorted = delays.stream().sorted().toList();
      report.remark("%d deliveries of %d moves".formatted(due, moves));
      report.reportTime("half of them after", sorted.get(due / 2));
      report.reportTime("99 of 100 after", sorted.get((int) (due * 0.99)));
    }
  }

  private static double heldMebibytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1048576.0;
  }

  /** Of the whole process, this thread among it. */
  private double idleMicrosASecond() throws InterruptedException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long used = system.getProcessCpuTime();
    long start = System.nanoTime();
    TimeUnit.SECONDS.sleep(scale.seconds());
    return (system.getProcessCpuTime() - used) * 1e6 / (System.nanoTime() - start);
  }

  private static void open(URI server, Selector selector) throws IOException {
    SocketChannel channel =
        SocketChannel.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()));
    String request =
        "GET /v1/watch HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, new PartialEvents());
  }

  private void push(NameService names, Address address) {
    long start = System.nanoTime();
    for (int t = 1; t <= moves; t++) {
      long due = start + t * 1_000_000_000L / MOVES_A_SECOND;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      long at = t;
      pushedAt.set(t, System.nanoTime());
      names.advance(
          address,
          Concern.HEAD,
          ConcernValue.of(t, Payload.build(json -> json.put("id", "c" + at).put("t", at))));
    }
  }

  /** Reads what there is, and returns how often a line was in it. */
  private int read(Selector selector, String line) throws IOException {
    selector.select(200);
    int found = 0;
    ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
    for (SelectionKey key : selector.selectedKeys()) {
      buffer.clear();
      if (((SocketChannel) key.channel()).read(buffer) < 0) {
        throw new IOException("the server has closed a watch");
      }
      long now = System.nanoTime();
      PartialEvents partialEvents = (PartialEvents) key.attachment();
      String text = partialEvents.text + StandardCharsets.UTF_8.decode(buffer.flip());
      int end = text.lastIndexOf("\n\n");
      partialEvents.text = end < 0 ? text : text.substring(end + 2);
      if (end >= 0) {
        String whole = text.substring(0, end);
        found += (whole.length() - whole.replace(line, "").length()) / line.length();
        Matcher told = MOVE.matcher(whole);
        while (told.find()) {
          // Of moves that are close together a watcher is told the last, and so knows of all.
          long last = Long.parseLong(told.group(1));
          while (partialEvents.known < last) {
            delays.add((now - pushedAt.get(++partialEvents.known)) / 1e3);
          }
        }
      }
    }
    selector.selectedKeys().clear();
    return found;
  }
}
