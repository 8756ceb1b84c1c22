// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * The bytes of an object on their way from the server: all of them, or an {@link IOException}.
 *
 * <p>Closing it early gives up the connection; to drain a large object only to keep a connection
 * would cost more than a new one.
 */
final class DownloadStream extends FilterInputStream {

  private final ResponseInputStream<?> response;
  private final String object;
  private final long size;
  private long left;

  /**
   * @param object where the bytes come from, for messages
   * @param size how many there must be
   */
  DownloadStream(ResponseInputStream<?> response, String object, long size) {
    super(response);
    this.response = response;
    this.object = object;
    this.size = size;
    this.left = size;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return counted(readResponse(buffer, offset, length));
  }

  @Override
  public long skip(long count) throws IOException {
    byte[] scratch = new byte[(int) Math.max(0, Math.min(count, 8192))];
    return Math.max(0, read(scratch, 0, scratch.length));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  @Override
  public void close() throws IOException {
    if (left == 0) {
      response.close();
    } else {
      response.abort();
    }
  }

  private int readResponse(byte[] buffer, int offset, int length) throws IOException {
    try {
      return in.read(buffer, offset, length);
    } catch (AbortedException e) {
      Thread.currentThread().interrupt(); // should the SDK have taken the flag
      throw new InterruptedIOException("reading " + object + " was interrupted");
    } catch (SdkClientException e) {
      throw new IOException("reading " + object + " broke off: " + e.getMessage(), e);
    }
  }

  private int counted(int count) throws IOException {
    if (count >= 0) {
      left -= count;
    } else if (left > 0) {
      throw new IOException(
          object + " ended after " + (size - left) + " of " + size + " bytes; read it again");
    }
    return count;
  }
}
