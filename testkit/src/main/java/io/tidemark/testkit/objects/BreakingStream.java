// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Yields the first bytes of a stream, then fails; also when the stream had just ended. */
final class BreakingStream extends FilterInputStream {
  private long left;

  BreakingStream(InputStream stream, long left) {
    super(stream);
    this.left = left;
  }

  @Override
  public int read() throws IOException {
    failAtEnd();
    left--;
    return super.read();
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length > 0) {
      failAtEnd();
    }
    int read = super.read(into, offset, (int) Math.min(length, left));
    left -= Math.max(read, 0);
    return read;
  }

  private void failAtEnd() throws IOException {
    if (left <= 0) {
      throw new IOException("injected: the connection was closed in the middle of the body");
    }
  }
}
