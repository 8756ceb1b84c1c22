// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * Beginning of a request body, which is awaited without a thread. So a client that sends a short
 * body slowly blocks no other request. Most bodies fit into the buffer.
 *
 * <p>With Jetty's {@code EagerContentHandler} in its place AbuseTest's {@code
 * aBodyBeyondTheLimitIsRefusedBeforeItIsRead} fails: a body that is refused in its middle is
 * answered by 500. That handler also retains a buffer of the connection for each piece of a body,
 * however short, and doesn't tell whether the body is whole.
 */
final class BufferedRequestBody {

  /** Number of bytes that are read before the request gets a thread. */
  private static final int MOST = 64 << 10;

  private final Request request;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);
  private boolean whole;

  private BufferedRequestBody(Request request) {
    this.request = request;
  }

  /**
   * Reads the beginning of a body.
   *
   * @param then receives the body: at once if it has arrived already, else on another thread
   * @param failed receives the failure if the body can't be read
   */
  static void read(
      Request request, Consumer<BufferedRequestBody> then, Consumer<Throwable> failed) {
    new BufferedRequestBody(request).continueReading(then, failed);
  }

  private void continueReading(Consumer<BufferedRequestBody> then, Consumer<Throwable> failed) {
    while (bytes.size() < MOST) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        // On another thread, since Jetty reports no more content until this callback returns.
        request.demand(
            () ->
                request.getComponents().getExecutor().execute(() -> continueReading(then, failed)));
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        failed.accept(chunk.getFailure());
        return;
      }
      byte[] some = new byte[chunk.remaining()];
      chunk.getByteBuffer().get(some);
      bytes.writeBytes(some);
      whole = chunk.isLast();
      chunk.release();
      if (whole) {
        break;
      }
    }
    then.accept(this);
  }

  /** Returns whether the buffer holds the whole body. */
  boolean isComplete() {
    return whole;
  }

  /** Returns the whole body: the buffer, then the rest of the request. */
  InputStream stream() {
    InputStream start = new ByteArrayInputStream(bytes.toByteArray());
    return whole ? start : new SequenceInputStream(start, Content.Source.asInputStream(request));
  }

  /**
   * Waits for the whole body and buffers it, so that it can be read any number of times.
   *
   * @return whether the body is within the limit
   */
  boolean bufferUpTo(long limit) throws IOException {
    byte[] all = readUpTo(limit);
    if (all != null && !whole) {
      bytes.reset();
      bytes.writeBytes(all);
      whole = true;
    }
    return all != null;
  }

  /**
   * Returns the whole body, if it is within a limit.
   *
   * @return null if the body is longer
   */
  byte @org.jspecify.annotations.Nullable [] readUpTo(long limit) throws IOException {
    if (whole) {
      return bytes.size() > limit ? null : bytes.toByteArray();
    }
    if (request.getLength() > limit) {
      return null;
    }
    try (InputStream in = stream()) {
      byte[] all = in.readNBytes((int) Math.min(limit + 1, Integer.MAX_VALUE - 8));
      return all.length > limit ? null : all;
    }
  }
}
