// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection that is kept, and asked one thing after another. It does as little as HTTP/1.1 lets
 * it, since it shares the processors with what is measured.
 */
final class HttpConnection implements AutoCloseable {

  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final InputStream in;
  private byte[] body = new byte[0];

  HttpConnection(URI server) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
  }

  static byte[] get(String path) {
    return bytes("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  }

  static byte[] send(String method, String path, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return bytes(
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
            + length
            + "\r\n\r\n"
            + body);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Asks, and returns the status; the body is kept until the next. */
  int ask(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    String status = line();
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(header.substring(LENGTH.length()).trim());
      } else if (header.toLowerCase(Locale.ROOT).startsWith("transfer-encoding:")) {
        throw new IOException("an answer of unknown length");
      }
    }
    body = in.readNBytes(length);
    return Integer.parseInt(status.substring(9, 12));
  }

  /** Asks, and fails unless it is done. */
  void require(byte[] request) throws IOException {
    int status = ask(request);
    if (status / 100 != 2) {
      throw new IOException(status + ": " + text());
    }
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server at " + socket.getPort() + " has closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
