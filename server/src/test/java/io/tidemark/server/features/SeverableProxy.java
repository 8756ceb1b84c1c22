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
final class SeverableProxy implements AutoCloseable {

  private enum CutMode {
    WHOLE,
    CUT_AT_COMMIT,
    CUT
  }

  private final ServerSocket listening;
  private final String host;
  private final int port;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private volatile CutMode cutMode = CutMode.WHOLE;

  private SeverableProxy(ServerSocket listening, String host, int port) {
    this.listening = listening;
    this.host = host;
    this.port = port;
  }

  static SeverableProxy to(String jdbcUrl) {
    URI there = URI.create(jdbcUrl.substring("jdbc:".length()));
    try {
      SeverableProxy severableProxy =
          new SeverableProxy(
              new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
              there.getHost(),
              there.getPort());
      severableProxy.start(severableProxy::accept);
      return severableProxy;
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
    cutMode = CutMode.CUT;
    open.forEach(SeverableProxy::end);
  }

  /** The next commit gets to the database, and nothing more goes either way. */
  void cutAtCommit() {
    cutMode = CutMode.CUT_AT_COMMIT;
  }

  void mend() {
    cutMode = CutMode.WHOLE;
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
        if (cutMode == CutMode.CUT) {
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
        boolean last = cutMode == CutMode.CUT_AT_COMMIT && text.contains("COMMIT");
        if (last) {
          cutMode = CutMode.CUT;
          open.stream()
              .filter(other -> other != to)
              .forEach(SeverableProxy::end); // before it can answer
        } else if (cutMode == CutMode.CUT) {
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
