// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The body of an HTTP answer that comes in chunks; ends only where it says that it ends. */
final class ChunkedBodyStream extends InputStream {

  private final InputStream in;
  private final List<String> head;
  private boolean begun;
  private boolean inside;
  private int left;
  private boolean over;

  ChunkedBodyStream(InputStream in, List<String> head) {
    this.in = in;
    this.head = head;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (!begun) {
      for (String line = line(); !line.isEmpty(); line = line()) {
        head.add(line);
      }
      begun = true;
    }
    if (left == 0 && !over) {
      if (inside) {
        line(); // of the chunk before, which comes with the next
      }
      inside = true;
      left = Integer.parseInt(line(), 16);
      over = left == 0;
    }
    if (over) {
      return -1;
    }
    int n = in.read(bytes, offset, Math.min(length, left));
    if (n < 0) {
      throw new EOFException("broken off in a chunk");
    }
    left -= n;
    return n;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("broken off after \"" + line + "\"");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
