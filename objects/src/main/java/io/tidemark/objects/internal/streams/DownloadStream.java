// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.streams;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Bytes of an object on their way from a server: as many as it announced, or an error. */
public class DownloadStream extends FilterInputStream {

  private final String object;
  private final long size;
  private long left;

  /**
   * Counts the bytes of an answer.
   *
   * @param object where the bytes come from, for messages
   * @param size how many there must be
   */
  public DownloadStream(InputStream in, String object, long size) {
    super(in);
    this.object = object;
    this.size = size;
    this.left = size;
  }

  /** Returns whether all bytes were read. */
  protected final boolean isComplete() {
    return left == 0;
  }

  /** Reads some bytes of the answer. */
  protected int receive(byte[] buffer, int offset, int length) throws IOException {
    return in.read(buffer, offset, length);
  }

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] buffer, int offset, int length) throws IOException {
    int count = receive(buffer, offset, length);
    if (count < 0 && left > 0) {
      throw new IOException(
          object + " ended after " + (size - left) + " of " + size + " bytes; read it again");
    }
    left -= Math.max(count, 0);
    return count;
  }

  @Override
  public final long skip(long count) throws IOException {
    byte[] scratch = new byte[(int) Math.max(0, Math.min(count, 8192))];
    return Math.max(0, read(scratch, 0, scratch.length));
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
