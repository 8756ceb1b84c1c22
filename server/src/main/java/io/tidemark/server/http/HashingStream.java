// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.objects.internal.hash.Sha256;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Input stream that hashes the bytes read, to compare a body of any length with another one. */
final class HashingStream extends FilterInputStream {

  private static final int CHUNK = 1 << 16;

  private final Sha256 hash = new Sha256();
  private long bytes;

  /** Number and hash of the bytes read. */
  record Digest(long bytes, String hash) {}

  HashingStream(InputStream body) {
    super(body);
  }

  @Override
  public int read() throws IOException {
    int one = in.read();
    if (one >= 0) {
      hash.update((byte) one);
      bytes++;
    }
    return one;
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    int read = in.read(into, from, most);
    if (read > 0) {
      hash.update(into, from, read);
      bytes += read;
    }
    return read;
  }

  @Override
  public long skip(long most) throws IOException {
    return readNBytes((int) Math.min(most, CHUNK)).length;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** Returns the digest of the bytes read; to be called once. */
  Digest digest() {
    return new Digest(bytes, hash.hex());
  }

  /**
   * Reads up to this many bytes, the length that was read of another body, and returns their
   * digest.
   */
  Digest digestOfFirst(long most) throws IOException {
    byte[] chunk = new byte[CHUNK];
    int read = 0;
    while (read >= 0 && bytes < most) {
      read = read(chunk, 0, (int) Math.min(chunk.length, most - bytes));
    }
    return digest();
  }
}
