// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.client.IdempotentWriter;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.TidemarkException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows on their way to a server, streamed as lines with the declared types in the first. A request
 * whose answer was lost is sent again with the same rows; so rows that can be read once only are
 * first copied to a temporary file.
 */
final class RowUpload implements AutoCloseable {

  private static final byte[] LINE_END = {'\n'};

  private final Optional<byte[]> declaration;
  private final List<RowInput.Part> parts;
  private final Optional<Path> copy;
  private volatile @Nullable IOException failure;

  private RowUpload(Optional<byte[]> declaration, List<RowInput.Part> parts, Optional<Path> copy) {
    this.declaration = declaration;
    this.parts = parts;
    this.copy = copy;
  }

  /**
   * Makes rows ready to be sent.
   *
   * @throws TidemarkException if they can't be read
   */
  static RowUpload open(RowInput rows, Optional<JsonNode> schema) {
    Optional<byte[]> declaration =
        schema.map(types -> (types + "\n").getBytes(StandardCharsets.UTF_8));
    if (!rows.repeatable()) {
      Path copy = copied(rows);
      RowInput.Part part =
          new RowInput.Part(copy.toString(), () -> Files.newInputStream(copy), true);
      return new RowUpload(declaration, List.of(part), Optional.of(copy));
    }
    rows.texts().forEach(RowUpload::requireReadable);
    return new RowUpload(declaration, rows.texts(), Optional.empty());
  }

  /** Fails before the request is begun, which would be broken off. */
  private static void requireReadable(RowInput.Part part) {
    try {
      part.source().open().close();
    } catch (IOException e) {
      throw unreadable(part.name(), e);
    }
  }

  private static Path copied(RowInput rows) {
    try {
      Path copy = Files.createTempFile("tidemark-rows", ".jsonl");
      try (InputStream all = new SequenceInputStream(Collections.enumeration(opened(rows)))) {
        Files.copy(all, copy, StandardCopyOption.REPLACE_EXISTING);
        return copy;
      } catch (IOException | RuntimeException e) {
        Files.deleteIfExists(copy);
        throw e;
      }
    } catch (IOException e) {
      throw unreadable(rows.texts().get(0).name(), e);
    }
  }

  private static List<InputStream> opened(RowInput rows) throws IOException {
    List<InputStream> streams = new ArrayList<>();
    for (RowInput.Part part : rows.texts()) {
      streams.add(part.source().open());
      streams.add(new ByteArrayInputStream(LINE_END));
    }
    return streams;
  }

  private static TidemarkException unreadable(String name, IOException e) {
    return new TidemarkException(
        ErrorCode.TRANSFER, "can't read " + name + ": " + FileErrors.reason(e), e);
  }

  /** Sends a request with the rows, as {@link IdempotentWriter#send} does. */
  ServerResponse send(
      ServerConnection serverConnection,
      IdempotentWriter idempotentWriter,
      ServerRequest serverRequest,
      BooleanSupplier notMade) {
    ServerRequest declaring =
        declaration.isPresent() ? serverRequest.query("declares", "true") : serverRequest;
    return idempotentWriter.send(
        declaring.body("application/x-ndjson", BodyPublishers.ofInputStream(this::stream)),
        notMade,
        each -> sent(serverConnection, each));
  }

  private ServerResponse sent(ServerConnection serverConnection, ServerRequest serverRequest) {
    try {
      return serverConnection.sendWithoutTimeout(serverRequest);
    } catch (TidemarkException e) {
      IOException unread = failure;
      throw unread == null ? e : unreadable(parts.get(0).name(), unread);
    }
  }

  private InputStream stream() {
    List<InputStream> streams = new ArrayList<>();
    declaration.map(ByteArrayInputStream::new).ifPresent(streams::add);
    for (RowInput.Part part : parts) {
      streams.add(new PartStream(part));
      streams.add(new ByteArrayInputStream(LINE_END));
    }
    return new SequenceInputStream(Collections.enumeration(streams));
  }

  /** Part that is opened at its first byte and keeps the failure to read it. */
  private final class PartStream extends InputStream {
    private final RowInput.Part part;
    private @Nullable InputStream opened;

    PartStream(RowInput.Part part) {
      this.part = part;
    }

    private InputStream opened() throws IOException {
      InputStream now = opened;
      if (now == null) {
        now = part.source().open();
        opened = now;
      }
      return now;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      try {
        return opened().read(into, from, most);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      if (opened != null) {
        opened.close();
      }
    }
  }

  @Override
  public void close() {
    if (copy.isPresent()) {
      try {
        Files.deleteIfExists(copy.get());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
