// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.objects.internal.hash.Sha256;
import java.io.IOException;
import java.io.OutputStream;

/** Output stream of a file that counts and hashes the bytes on their way. */
final class HashingOutputStream extends OutputStream {

  private final OutputStream target;
  private final Sha256 sha256 = new Sha256();
  private long position;

  HashingOutputStream(OutputStream target) {
    this.target = target;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    target.write(bytes, offset, length);
    sha256.update(bytes, offset, length);
    position += length;
  }

  /** Writes bytes that the caller must not change any more. */
  void keep(byte[] bytes) throws IOException {
    if (target instanceof MemoryFile memory) {
      memory.keep(bytes);
      sha256.update(bytes);
      position += bytes.length;
    } else {
      write(bytes, 0, bytes.length);
    }
  }

  /** Returns how many bytes have been written. */
  long position() {
    return position;
  }

  /** Closes the target and returns the hash of what went there. */
  String finish() throws IOException {
    target.close();
    return sha256.hex();
  }

  /** Closes the target, however far it came. */
  @Override
  public void close() throws IOException {
    target.close();
  }
}
