// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.Body;
import io.tidemark.objects.UploadStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * A body in the form the SDK takes it. Small ones are read into memory first, so that a wrong
 * length is found before anything is sent; large ones are streamed. Either way the body is opened
 * once, and closed.
 */
final class UploadSource implements ContentStreamProvider, AutoCloseable {

  private static final int IN_MEMORY_BYTES = 1 << 20;
  private static final String CONTENT_TYPE = "application/octet-stream";

  private final Body body;
  private @Nullable InputStream current; // null until the SDK asks for it

  private UploadSource(Body body) {
    this.body = body;
  }

  /**
   * Makes a body ready to be sent.
   *
   * @throws UncheckedIOException of a {@link UploadStream.BodyException} when it can't be read or
   *     has another length than it says
   */
  static UploadSource of(Body body) {
    if (body.length() > IN_MEMORY_BYTES) {
      return new UploadSource(body);
    }
    try (InputStream stream = UploadStream.open(body)) {
      return new UploadSource(Body.of(stream.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes in memory, which the SDK reads where they are. */
  static RequestBody requestBody(byte[] bytes) {
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(bytes), bytes.length, CONTENT_TYPE);
  }

  RequestBody requestBody() {
    return RequestBody.fromContentProvider(this, body.length(), CONTENT_TYPE);
  }

  @Override
  public InputStream newStream() {
    close(); // should the SDK ever want the bytes again
    try {
      InputStream stream = UploadStream.open(body);
      current = stream;
      return stream;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    InputStream open = current;
    current = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (IOException e) {
      // Every byte that was needed has been read; whether it closes well changes nothing.
    }
  }
}
