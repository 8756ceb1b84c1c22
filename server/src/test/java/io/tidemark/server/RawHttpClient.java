// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A client that sends what it likes, byte by byte if it must be. */
final class RawHttpClient implements AutoCloseable {

  /** Only a hang meets it. */
  private static final int PATIENCE = 60_000;

  private final Socket socket;

  RawHttpClient(TidemarkServer server) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
      socket.setSoTimeout(PATIENCE);
      socket.setTcpNoDelay(true);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The head of a request to this machine. */
  static String head(String request, String... headers) {
    return request
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + String.join("", List.of(headers).stream().map(header -> header + "\r\n").toList())
        + "\r\n";
  }

  /** Sends, or learns that the server has closed the connection. */
  boolean send(String text) {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  boolean send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends this side of the connection, and can still read. */
  void sendNoMore() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All that comes until the server closes the connection. */
  String rest() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(all);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the server neither answers nor closes", e);
    } catch (IOException e) {
      // It was reset, which is a way to close it.
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /** Some bytes of the answer; none at its end. */
  byte[] some(int most) {
    try {
      InputStream in = socket.getInputStream();
      return in.readNBytes(most);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the server neither answers nor closes", e);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  /** The status of an answer. */
  static int status(String answer) {
    return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
