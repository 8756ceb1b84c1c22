// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import io.tidemark.api.features.FeatureFormat;
import io.tidemark.api.features.FeatureInput;
import io.tidemark.api.features.FeatureLoadProgress;
import io.tidemark.api.features.FeatureLoadProgress.Phase;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.TidemarkException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Features on their way to a server, with the progress of sending them. */
final class FeatureUpload implements AutoCloseable {

  private final FeatureInput input;
  private final String name;
  private final InputStream content;
  private final OptionalLong size;
  private final Consumer<FeatureLoadProgress> listener;
  private final long start = System.nanoTime();
  private volatile @Nullable IOException failure;
  private volatile boolean whole;

  private FeatureUpload(
      FeatureInput input,
      String name,
      InputStream content,
      OptionalLong size,
      Consumer<FeatureLoadProgress> listener) {
    this.input = input;
    this.name = name;
    this.content = content;
    this.size = size;
    this.listener = listener;
  }

  /**
   * Opens features to be sent.
   *
   * @throws TidemarkException with the code invalid-request if there is no loading such a format,
   *     or invalid-input if the file can't be read
   */
  static FeatureUpload open(FeatureInput input, Consumer<FeatureLoadProgress> listener) {
    if (input.format() == FeatureFormat.GEOPARQUET) {
      throw new TidemarkException(
          ErrorCode.INVALID_REQUEST,
          "the format 'geoparquet' can't be loaded; say geojson, geojsonseq or csv");
    }
    if (input instanceof FeatureInput.InStream given) {
      return new FeatureUpload(
          input, given.name(), new Unclosed(given.stream()), OptionalLong.empty(), listener);
    }
    FeatureInput.InFile given = (FeatureInput.InFile) input;
    try {
      return new FeatureUpload(
          input,
          given.file().toString(),
          Files.newInputStream(given.file()),
          OptionalLong.of(Files.size(given.file())),
          listener);
    } catch (IOException e) {
      throw new TidemarkException(
          ErrorCode.INVALID_INPUT,
          "%s can't be read: %s".formatted(given.file(), FileErrors.reason(e)),
          e);
    }
  }

  /** Stream that its owner closes. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return in.read(bytes, offset, length);
    }

    @Override
    public void close() {
      // It isn't ours.
    }
  }

  /**
   * Sends a request with the features.
   *
   * @throws OutcomeUnknownException if the load was cancelled when all of them had been sent
   */
  ServerResponse send(FeatureServer server, ServerRequest serverRequest) {
    ServerRequest described = serverRequest.query("format", format());
    boolean compressed = input instanceof FeatureInput.InFile file && file.isCompressed();
    ServerRequest typed = compressed ? described.header("Content-Encoding", "gzip") : described;
    try {
      return server
          .connection()
          .sendWithoutTimeout(
              typed.body(mediaType(), BodyPublishers.ofInputStream(Sent::new)),
              server.context().cancellation());
    } catch (TidemarkException e) {
      throw explained(server, e);
    }
  }

  private TidemarkException explained(FeatureServer server, TidemarkException e) {
    IOException unread = failure;
    if (unread != null) {
      return new TidemarkException(
          ErrorCode.INVALID_INPUT,
          "%s can't be read to its end: %s; nothing was loaded"
              .formatted(name, FileErrors.reason(unread)),
          unread);
    }
    boolean cancelled = server.context().cancellation().reason().filter(e::equals).isPresent();
    return cancelled && whole
        ? new OutcomeUnknownException(
            "the load was cancelled when all of %s had been sent; it may have been done: look"
                    .formatted(name)
                + " before doing it again",
            e)
        : e;
  }

  private String format() {
    return (input.format() == FeatureFormat.RS ? FeatureFormat.GEOJSONSEQ : input.format()).word();
  }

  private String mediaType() {
    return switch (input.format()) {
      case CSV -> "text/csv";
      case GEOJSONSEQ, RS -> "application/geo+json-seq";
      case GEOJSON, GEOPARQUET -> "application/geo+json";
    };
  }

  /** Content as it is sent. */
  private final class Sent extends FilterInputStream {
    private long bytes;

    Sent() {
      super(content);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        int n = in.read(into, offset, length);
        bytes += Math.max(0, n);
        whole = n < 0;
        listener.accept(
            new FeatureLoadProgress(
                Phase.SEND, 0, bytes, size, 0, Duration.ofNanos(System.nanoTime() - start)));
        return n;
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }

  @Override
  public void close() {
    try {
      content.close();
    } catch (IOException e) {
      // All that was needed has been read.
    }
  }
}
