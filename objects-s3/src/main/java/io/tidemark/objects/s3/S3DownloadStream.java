// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.internal.streams.DownloadStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Stream of the bytes of an object on S3; failures are {@link IOException}s.
 *
 * <p>Closing it early gives up the connection; to drain a large object only to keep a connection
 * would cost more than a new one.
 */
final class S3DownloadStream extends DownloadStream {

  private final ResponseInputStream<?> response;
  private final String object;

  S3DownloadStream(ResponseInputStream<?> response, String object, long size) {
    super(response, object, size);
    this.response = response;
    this.object = object;
  }

  @Override
  protected int receive(byte[] buffer, int offset, int length) throws IOException {
    try {
      return super.receive(buffer, offset, length);
    } catch (AbortedException e) {
      Thread.currentThread().interrupt(); // should the SDK have taken the flag
      throw new InterruptedIOException("reading " + object + " was interrupted");
    } catch (SdkClientException e) {
      throw new IOException("reading " + object + " broke off: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    if (isComplete()) {
      response.close();
    } else {
      response.abort();
    }
  }
}
