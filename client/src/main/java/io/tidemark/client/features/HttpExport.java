// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.client.StreamedAnswer;
import io.tidemark.objects.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A whole collection that a server sends, which begins when it is told where to. */
public final class HttpExport {

  private static final String COUNT = "Tidemark-Features";
  private static final int BUFFER = 1 << 16;

  private final Connection connection;
  private final Request request;

  HttpExport(Connection connection, Request request) {
    this.connection = connection;
    this.request = request;
  }

  /**
   * Writes all of it; fails when it breaks off, so that what there is isn't taken for the whole.
   *
   * @param listener is told now and then how many were written
   * @return how many features there are
   */
  public long to(OutputStream out, LongConsumer listener) {
    try (StreamedAnswer answer = connection.open(request)) {
      if (!answer.isSuccess()) {
        throw answer.whole().failure();
      }
      Optional<Long> known = answer.header(COUNT).map(Long::parseLong);
      long lines = copy(answer.body(), out, listener);
      out.flush();
      return known.orElse(lines);
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "the export broke off: " + e.getMessage() + "; begin again", e);
    }
  }

  /** Counts the lines, of which each is a feature. */
  private static long copy(InputStream from, OutputStream to, LongConsumer listener)
      throws IOException {
    long lines = 0;
    byte[] buffer = new byte[BUFFER];
    for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
      for (int i = 0; i < n; i++) {
        lines += buffer[i] == '\n' ? 1 : 0;
      }
      to.write(buffer, 0, n);
      listener.accept(lines);
    }
    return lines;
  }
}
