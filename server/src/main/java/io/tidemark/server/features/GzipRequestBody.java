// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.features.bulk.input.GzipStream;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/**
 * Request body that is decompressed from gzip. Beyond the size of a document, it may be at most 100
 * times as long as the compressed bytes, so that a small body doesn't keep a loader busy for hours.
 */
final class GzipRequestBody extends FilterInputStream {

  private static final int MOST_TIMES = 100;
  private static final int BUFFER = 1 << 16;

  private final CountingStream packed;
  private final long free;
  private long unpacked;

  private GzipRequestBody(CountingStream packed, InputStream plain, long free) {
    super(plain);
    this.packed = packed;
    this.free = free;
  }

  /**
   * Starts to decompress the body of a request.
   *
   * @throws ProblemException if the body isn't gzip
   */
  static InputStream of(HttpRequestContext httpRequestContext) throws IOException {
    CountingStream packed = new CountingStream(httpRequestContext.stream());
    try {
      return new GzipRequestBody(
          packed, new GzipStream(packed), httpRequestContext.limits().bodyBytes());
    } catch (EOFException | ZipException e) {
      throw translated(e, packed);
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read;
    try {
      read = super.read(bytes, offset, length);
    } catch (EOFException | ZipException e) {
      throw translated(e, packed);
    }
    unpacked += Math.max(0, read);
    if (unpacked > free && unpacked / MOST_TIMES > packed.count) {
      throw new ProblemException(
          Problem.of(
              413,
              "too-large",
              "the body becomes more than %d times as long when it is unpacked; send it as it is"
                  .formatted(MOST_TIMES)));
    }
    return read;
  }

  @Override
  public long skip(long n) throws IOException {
    return Math.max(0, read(new byte[(int) Math.min(n, BUFFER)]));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /**
   * Returns the failure to report: a malformed body, unless reading the compressed bytes failed.
   */
  private static ProblemException translated(IOException e, CountingStream packed)
      throws IOException {
    if (e instanceof EOFException && !packed.ended) {
      throw e;
    }
    return HttpRequestContext.invalid(
        "the body isn't the gzip that Content-Encoding says, is cut short, or has something else"
            + " behind it; send it again");
  }

  /** Stream that counts the compressed bytes. */
  private static final class CountingStream extends FilterInputStream {
    private long count;
    private boolean ended;

    CountingStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      ended = read < 0;
      count += Math.max(0, read);
      return read;
    }
  }
}
