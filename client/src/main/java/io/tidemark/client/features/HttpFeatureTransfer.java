// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.CsvColumns;
import io.tidemark.api.features.FeatureExportRequest;
import io.tidemark.api.features.FeatureFormat;
import io.tidemark.api.features.FeatureLoadProgress;
import io.tidemark.api.features.FeatureLoadReport;
import io.tidemark.api.features.FeatureLoadRequest;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.StreamedServerResponse;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.files.NewFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Loads into a collection of a server and exports of it. */
record HttpFeatureTransfer(FeatureServer server, String collection) implements CollectionTransfer {

  private static final String COUNT = "Tidemark-Features";
  private static final int BUFFER = 1 << 16;

  /** Lines of a GeoJSON document that have no feature: before the first, behind the last. */
  private static final int FRAME = 2;

  @Override
  public FeatureLoadReport load(
      FeatureLoadRequest request, Consumer<FeatureLoadProgress> listener) {
    try (FeatureUpload upload = FeatureUpload.open(request.input(), listener)) {
      return WireJson.read(
          upload.send(server, post(request)).orThrow().json(), FeatureLoadReport.class);
    }
  }

  private ServerRequest post(FeatureLoadRequest request) {
    ServerRequest post =
        server
            .writing("POST", "v1", "collections", collection, "load")
            .query("upsert", Boolean.toString(request.upsert()))
            .query("lastWins", Boolean.toString(request.lastWins()))
            .query("skipInvalid", Long.toString(request.skipInvalid()));
    CsvColumns csv = request.csv();
    post = with(post, "create", request.create().map(WireJson::text));
    post = with(post, "lon", csv.lon());
    post = with(post, "lat", csv.lat());
    post = with(post, "id", csv.id());
    post = with(post, "delimiter", csv.delimiter().map(String::valueOf));
    return csv.text() ? post.query("text", "true") : post;
  }

  private static ServerRequest with(
      ServerRequest serverRequest, String name, Optional<String> value) {
    return value.map(text -> serverRequest.query(name, text)).orElse(serverRequest);
  }

  @Override
  public long export(FeatureExportRequest request, OutputStream out, LongConsumer progress) {
    if (request.format() == FeatureFormat.GEOPARQUET) {
      throw new TidemarkException(
          ErrorCode.INVALID_REQUEST, "GeoParquet can't be written to a stream; name a file");
    }
    try {
      long count = copy(request, out, progress);
      out.flush();
      return count;
    } catch (IOException e) {
      throw NewFile.failure("the output", e);
    }
  }

  @Override
  public long export(FeatureExportRequest request, Path file, LongConsumer progress) {
    try (NewFile target = request.replace() ? NewFile.replacing(file) : NewFile.at(file)) {
      long count;
      try (OutputStream out = Files.newOutputStream(target.part())) {
        count = copy(request, out, progress);
      }
      target.finish();
      return count;
    } catch (IOException e) {
      throw NewFile.failure(file, e);
    }
  }

  private long copy(FeatureExportRequest request, OutputStream out, LongConsumer progress)
      throws IOException {
    ServerRequest get =
        with(
            server
                .request("GET", "v1", "collections", collection, "export")
                .query("format", request.format().word()),
            "at",
            request.at().map(Object::toString));
    try (StreamedServerResponse answer = server.open(get)) {
      return request.format() == FeatureFormat.GEOPARQUET
          ? copyCounted(answer, out, progress)
          : copyLines(answer, out, progress, request.format() == FeatureFormat.GEOJSON ? FRAME : 0);
    }
  }

  /** Copies an export whose number of features the server tells. */
  private static long copyCounted(
      StreamedServerResponse answer, OutputStream out, LongConsumer progress) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int n = read(answer.body(), buffer); n >= 0; n = read(answer.body(), buffer)) {
      out.write(buffer, 0, n);
    }
    long count = answer.header(COUNT).map(Long::parseLong).orElse(0L);
    progress.accept(count);
    return count;
  }

  /** Copies an export that has each feature on a line, and counts them. */
  private static long copyLines(
      StreamedServerResponse answer, OutputStream out, LongConsumer progress, int others)
      throws IOException {
    long lines = -others;
    byte[] buffer = new byte[BUFFER];
    for (int n = read(answer.body(), buffer); n >= 0; n = read(answer.body(), buffer)) {
      for (int i = 0; i < n; i++) {
        lines += buffer[i] == '\n' ? 1 : 0;
      }
      out.write(buffer, 0, n);
      progress.accept(Math.max(0, lines));
    }
    return lines;
  }

  /** Reads a piece; what breaks off isn't the whole. */
  private static int read(InputStream body, byte[] buffer) {
    try {
      return body.read(buffer);
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "the export broke off: " + e.getMessage() + "; begin again", e);
    }
  }
}
