// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A way to a database that can be cut, also at the very moment at which somebody commits. */
final class Cable implements AutoCloseable {

  private enum Sound {
    WHOLE,
    CUT_AT_COMMIT,
    CUT
  }

  private final ServerSocket listening;
  private final String host;
  private final int port;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private volatile Sound sound = Sound.WHOLE;

  private Cable(ServerSocket listening, String host, int port) {
    this.listening = listening;
    this.host = host;
    this.port = port;
  }

  static Cable to(String jdbcUrl) {
    URI there = URI.create(jdbcUrl.substring("jdbc:".length()));
    try {
      Cable cable =
          new Cable(
              new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
              there.getHost(),
              there.getPort());
      cable.start(cable::accept);
      return cable;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same database by this way, where each statement is sent as text. */
  String url(String jdbcUrl) {
    String near = jdbcUrl.replace(host + ":" + port, "127.0.0.1:" + listening.getLocalPort());
    return near + (near.contains("?") ? "&" : "?") + "prepareThreshold=0";
  }

  void cut() {
    sound = Sound.CUT;
    open.forEach(Cable::end);
  }

  /** The next commit gets to the database, and nothing more goes either way. */
  void cutAtCommit() {
    sound = Sound.CUT_AT_COMMIT;
  }

  void mend() {
    sound = Sound.WHOLE;
  }

  private void start(Runnable work) {
    Thread thread = new Thread(work, "cable");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket near = listening.accept();
        if (sound == Sound.CUT) {
          end(near);
          continue;
        }
        Socket far = new Socket(host, port);
        open.addAll(List.of(near, far));
        start(() -> copy(near, far));
        start(() -> copy(far, near));
      } catch (IOException e) {
        // is closed, or the database is away: whoever connected sees it
      }
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        String text = new String(buffer, 0, n, StandardCharsets.ISO_8859_1);
        boolean last = sound == Sound.CUT_AT_COMMIT && text.contains("COMMIT");
        if (last) {
          sound = Sound.CUT;
          open.stream().filter(other -> other != to).forEach(Cable::end); // before it can answer
        } else if (sound == Sound.CUT) {
          return;
        }
        out.write(buffer, 0, n);
        if (last) {
          // The database reads what has come before it sees that nobody is there any more.
          to.shutdownOutput();
        }
      }
    } catch (IOException e) {
      // so it is cut
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // then it is closed
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
  }
}
