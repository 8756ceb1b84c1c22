// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between a client and PostgreSQL and breaks the connection at a given word, once. The
 * client must connect with {@code prepareThreshold=0}, so that every statement is sent as text.
 */
final class CuttingProxy implements AutoCloseable {

  /** On which side of the word the connection breaks. */
  enum Cut {
    /** The server never gets it. */
    BEFORE,
    /** The server gets it and does it, and its answer is lost. */
    AFTER
  }

  private record Plan(String word, Cut cut, boolean away) {}

  private final ServerSocket listener;
  private final int serverPort;
  private final AtomicReference<Plan> plan = new AtomicReference<>();
  private final AtomicBoolean away = new AtomicBoolean();
  private final AtomicBoolean silent = new AtomicBoolean();

  private CuttingProxy(ServerSocket listener, int serverPort) {
    this.listener = listener;
    this.serverPort = serverPort;
  }

  /** A wire to the server of a URL. */
  static CuttingProxy to(String url) throws IOException {
    int port = Integer.parseInt(url.replaceAll(".*127\\.0\\.0\\.1:(\\d+)/.*", "$1"));
    CuttingProxy wire =
        new CuttingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    start(wire::accept);
    return wire;
  }

  /** The URL of the same database through this wire. */
  String url(String url) {
    return url.replace(":" + serverPort + "/", ":" + listener.getLocalPort() + "/")
        + "&prepareThreshold=0";
  }

  /** Breaks the next connection on which the word is sent. */
  void cut(Cut cut, String word) {
    plan.set(new Plan(word, cut, false));
  }

  /** The same, and from then on nobody reaches the server until it is back. */
  void cutAndStayAway(Cut cut, String word) {
    plan.set(new Plan(word, cut, true));
  }

  /** From now on connections stay, and nothing comes through. */
  void fallSilent() {
    silent.set(true);
  }

  /** Lets those who connect from now on through. */
  void comeBack() {
    away.set(false);
  }

  /** Whether it has broken the connection that it was to break. */
  boolean hasCut() {
    return plan.get() == null;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (away.get()) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        Link link = new Link(client, server);
        start(() -> link.requests(plan, away, silent));
        start(link::answers);
      } catch (IOException e) {
        // closed, or the server is gone: the client finds out
      }
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "cut-wire");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One connection. */
  private record Link(Socket client, Socket server) {

    void requests(AtomicReference<Plan> plan, AtomicBoolean away, AtomicBoolean silent) {
      byte[] buffer = new byte[1 << 16];
      try {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          Plan current = plan.get();
          String text = new String(Arrays.copyOf(buffer, n), ISO_8859_1);
          if (current != null
              && text.contains(current.word())
              && plan.compareAndSet(current, null)) {
            away.set(current.away());
            cut(current.cut(), buffer, n);
            return;
          }
          if (away.get()) {
            break;
          }
          if (!silent.get()) {
            out.write(buffer, 0, n);
          }
        }
      } catch (IOException e) {
        // broken, as planned or by the other side
      }
      end();
    }

    private void cut(Cut cut, byte[] request, int length) throws IOException {
      client.close();
      if (cut == Cut.AFTER) {
        server.getOutputStream().write(request, 0, length);
      }
      // The server does what it got before it notices that nobody is there any more.
      server.shutdownOutput();
    }

    void answers() {
      byte[] buffer = new byte[1 << 16];
      try {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          out.write(buffer, 0, n);
        }
      } catch (IOException e) {
        // broken, as planned or by the other side
      }
      end();
    }

    private void end() {
      try (client;
          server) {
        // both are closed
      } catch (IOException e) {
        // they are
      }
    }
  }
}
