// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Stands between a client and a server, and cuts connections in front of requests or answers. */
final class LossyProxy implements AutoCloseable {

  private final ServerSocket socket;
  private final AtomicInteger lostRequests = new AtomicInteger();
  private final AtomicInteger lostAnswers = new AtomicInteger();
  private volatile URI server;
  private volatile Runnable afterLoss = () -> {};
  private volatile Chance chance = () -> false;

  private interface Chance {
    boolean loses();
  }

  LossyProxy(URI server) throws IOException {
    this.server = server;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  /** Loses the next requests: the server never sees them. */
  void loseRequests(int count) {
    lostRequests.set(count);
  }

  /** Loses the next answers: the server has carried out what it was asked. */
  void loseAnswers(int count) {
    lostAnswers.set(count);
  }

  /** Loses this many of a hundred, requests and answers alike. */
  void loseAtRandom(RandomGenerator random, int percent) {
    chance =
        () -> {
          synchronized (random) {
            return random.nextInt(200) < percent;
          }
        };
  }

  /** Is run when something was lost, before the client can know. */
  void afterLoss(Runnable action) {
    afterLoss = action;
  }

  /** Leads new connections to another server. */
  void leadTo(URI other) {
    server = other;
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "lossy-wire");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        Socket onwards = new Socket(server.getHost(), server.getPort());
        client.setTcpNoDelay(true);
        onwards.setTcpNoDelay(true);
        start(() -> pump(client, onwards, lostRequests));
        start(() -> pump(onwards, client, lostAnswers));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pump(Socket from, Socket to, AtomicInteger toLose) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0 || chance.loses()) {
          Runnable action = afterLoss;
          afterLoss = () -> {};
          action.run();
          return;
        }
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException e) {
      // the other side is gone
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
