// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The bytes of a body on their way to the server, which are as many as were announced or end in an
 * error.
 *
 * <p>The last of them are handed out only when it is certain that no more follow. A body that is
 * too long must break off as well, because the server takes the object for whole once all announced
 * bytes have arrived.
 */
public final class UploadStream extends FilterInputStream {

  private final long announced;
  private long left;
  private volatile Optional<BodyException> failure = Optional.empty();

  private UploadStream(InputStream source, long announced) {
    super(source);
    this.announced = announced;
    this.left = announced;
  }

  /** Opens a body, once. */
  public static UploadStream open(Body body) throws BodyException {
    try {
      UploadStream stream = new UploadStream(body.open(), body.length());
      if (body.length() == 0) {
        stream.checkEnd();
      }
      return stream;
    } catch (BodyException e) {
      throw e;
    } catch (IOException e) {
      throw new BodyException("its bytes can't be read: " + e.getMessage(), e);
    }
  }

  /** Why it broke off, for those whose client library doesn't tell; empty when it didn't. */
  public Optional<BodyException> failure() {
    return failure;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    int count = readSource(buffer, offset, (int) Math.min(length, left));
    if (count < 0) {
      throw failed(
          new BodyException(
              "its body has "
                  + (announced - left)
                  + " bytes where "
                  + announced
                  + " were announced"));
    }
    left -= count;
    if (left == 0) {
      checkEnd();
    }
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    throw new IOException("the bytes of an upload are not skipped");
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void checkEnd() throws IOException {
    if (readSource(new byte[1], 0, 1) >= 0) {
      throw failed(
          new BodyException("its body has more than the " + announced + " bytes announced"));
    }
  }

  private int readSource(byte[] buffer, int offset, int length) throws BodyException {
    try {
      return in.read(buffer, offset, length);
    } catch (IOException e) {
      throw failed(new BodyException("its bytes can't be read: " + e.getMessage(), e));
    }
  }

  private BodyException failed(BodyException e) {
    failure = Optional.of(e);
    return e;
  }

  /** The body isn't what it was said to be; the request was broken off before its end. */
  public static final class BodyException extends IOException {
    private static final long serialVersionUID = 1L;

    BodyException(String message) {
      super(message);
    }

    BodyException(String message, IOException cause) {
      super(message, cause);
    }
  }
}
