// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An object on its way here: as many bytes as were announced, or an error. */
final class DownloadStream extends FilterInputStream {

  private final String key;
  private long left;

  DownloadStream(InputStream in, String key, long size) {
    super(in);
    this.key = key;
    this.left = size;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int n = super.read(bytes, offset, length);
    if (n < 0 && left > 0) {
      throw new IOException(key + " ended " + left + " bytes too early");
    }
    left -= Math.max(n, 0);
    return n;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(count);
    left -= skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
