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
 * The beginning of a body, which is waited for without a thread: so whoever sends a short one
 * slowly keeps nobody from being answered. Most bodies are whole with it.
 *
 * <p>With Jetty's {@code EagerContentHandler} in its place AbuseTest's {@code
 * aBodyBeyondTheLimitIsRefusedBeforeItIsRead} fails: a body that is refused in its middle is
 * answered by 500. That handler also retains a buffer of the connection for each piece of a body,
 * however short, and doesn't tell whether the body is whole.
 */
final class BufferedRequestBody {

  /** How much is read before a thread is given to the request. */
  private static final int MOST = 64 << 10;

  private final Request request;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);
  private boolean whole;

  private BufferedRequestBody(Request request) {
    this.request = request;
  }

  /**
   * Reads it.
   *
   * @param then is called with it: at once when it is there already, else by another thread
   * @param failed is called when it doesn't come
   */
  static void read(
      Request request, Consumer<BufferedRequestBody> then, Consumer<Throwable> failed) {
    new BufferedRequestBody(request).continueReading(then, failed);
  }

  private void continueReading(Consumer<BufferedRequestBody> then, Consumer<Throwable> failed) {
    while (bytes.size() < MOST) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        // By a thread of its own: whoever is told of what comes is told of no more until it
        // returns.
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

  /** Returns whether there is nothing behind it. */
  boolean isComplete() {
    return whole;
  }

  /** The whole body. */
  InputStream stream() {
    InputStream start = new ByteArrayInputStream(bytes.toByteArray());
    return whole ? start : new SequenceInputStream(start, Content.Source.asInputStream(request));
  }

  /**
   * Waits for all of it, after which it can be read any number of times.
   *
   * @return whether it isn't longer than a limit
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
   * The whole body, if it isn't longer than a limit.
   *
   * @return null when it is
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
