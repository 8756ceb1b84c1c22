// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.Body;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Request body of an object to store. It delivers all bytes of the announced length, or an error.
 *
 * <p>A small body is read first, so that a write to the store can be retried. A large one is
 * streamed to the store, which works once; if that fails, the client has to send it again.
 */
final class IncomingBody {

  private static final int IN_MEMORY = 1 << 20;
  private static final long LARGEST = 5L << 30;

  private final HttpRequestContext httpRequestContext;
  private final long length;
  private final Runnable whenComplete;
  private final InputStream in;
  private boolean opened;
  private boolean wanted;

  /**
   * Creates the body of a call.
   *
   * @param whenComplete is run once, when the whole body has arrived
   * @throws ProblemException if the request has no length, or it is too large
   */
  IncomingBody(HttpRequestContext httpRequestContext, Runnable whenComplete) {
    this.httpRequestContext = httpRequestContext;
    this.length = httpRequestContext.length();
    this.whenComplete = whenComplete;
    this.in =
        httpRequestContext
            .stream(); // shared by all reads, since it may have buffered more than was asked for
    if (length < 0) {
      throw new ProblemException(
          Problem.of(411, "length-required", "say how long the object is, by Content-Length"));
    }
    if (length > LARGEST) {
      throw new ProblemException(
          Problem.of(
              413,
              "too-large",
              "an object has at most " + LARGEST + " bytes, not " + length + "; cut it"));
    }
  }

  /** Returns the body in the form that stores take. */
  Body body() throws IOException {
    return length > IN_MEMORY ? Body.ofStream(length, this::open) : Body.of(bytes());
  }

  /** Returns all bytes of a body that must be small. */
  byte[] bytes() throws IOException {
    if (length > IN_MEMORY) {
      throw new ProblemException(
          Problem.of(
              413,
              "too-large",
              "such a document has at most " + IN_MEMORY + " bytes, not " + length));
    }
    byte[] bytes = in.readNBytes((int) length);
    if (bytes.length < length) {
      throw new IOException("the body ended after " + bytes.length + " of " + length + " bytes");
    }
    whenComplete.run();
    return bytes;
  }

  /**
   * Reads and discards the rest of an unwanted body, within limits. Otherwise a client that is
   * still sending couldn't read the answer.
   */
  void drain() throws IOException {
    byte[] buffer = new byte[1 << 14];
    long taken = 0;
    for (int n = 0;
        n >= 0 && taken < httpRequestContext.limits().bodyBytes();
        n = in.read(buffer)) {
      taken += n;
    }
  }

  /**
   * Returns whether the store requested the body a second time; the client then has to send it
   * again.
   */
  boolean wasRequestedAgain() {
    return wanted;
  }

  private InputStream open() throws IOException {
    if (opened) {
      wanted = true;
      throw new IOException("it comes from a client that has to send it again");
    }
    opened = true;
    return new CompletionStream();
  }

  /** Stream that reports the arrival of the last byte before it passes that byte on. */
  private final class CompletionStream extends FilterInputStream {
    private long left = length;

    CompletionStream() {
      super(IncomingBody.this.in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      int n = super.read(bytes, offset, count);
      if (n < 0 && left > 0) {
        throw new IOException("the body ended " + left + " bytes before its end");
      }
      left -= Math.max(n, 0);
      if (n > 0 && left == 0) {
        whenComplete.run();
      }
      return n;
    }

    /** Does nothing, since closing an incomplete body would abort the connection. */
    @Override
    public void close() {}
  }
}
