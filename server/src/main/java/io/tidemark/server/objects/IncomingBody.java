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
 * What a client sends to be stored: all of what it announced, or an error.
 *
 * <p>A small one is read first, so that the store can be tried again with it. A large one goes to
 * the store as it comes, which works once; when it doesn't work the client has to send it again.
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
   * The body of a call.
   *
   * @param whenComplete is run once, when all of it has come
   * @throws ProblemException when its length isn't said or is too large
   */
  IncomingBody(HttpRequestContext httpRequestContext, Runnable whenComplete) {
    this.httpRequestContext = httpRequestContext;
    this.length = httpRequestContext.length();
    this.whenComplete = whenComplete;
    this.in =
        httpRequestContext
            .stream(); // one for all, since it may have more of the body than it was asked for
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

  /** As stores take it. */
  Body body() throws IOException {
    return length > IN_MEMORY ? Body.ofStream(length, this::open) : Body.of(bytes());
  }

  /** All of it, of what is never large. */
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
   * Takes what is left of a body that isn't wanted, within limits: a client that is still sending
   * it couldn't read why.
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

  /** Returns whether the store wanted the body a second time, which the client has to send. */
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

  /** Tells when the last byte has come, before it is handed on. */
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

    /** To close what hasn't come to its end would break the connection off. */
    @Override
    public void close() {}
  }
}
