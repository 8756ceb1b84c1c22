// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.api.Cancellation;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Body of an answer that ends when its operation is cancelled. */
final class CancellableStream extends FilterInputStream {

  private final Cancellation cancellation;
  private final Cancellation.Registration registration;

  CancellableStream(InputStream in, Cancellation cancellation) {
    super(in);
    this.cancellation = cancellation;
    this.registration = cancellation.onCancel(why -> end());
  }

  /** Ends a read that waits. */
  private void end() {
    try {
      in.close();
    } catch (IOException e) {
      // The reader is told why by the next read.
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      int n = in.read(bytes, offset, length);
      cancellation.check();
      return n;
    } catch (IOException e) {
      cancellation.check();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    registration.close();
    super.close();
  }
}
