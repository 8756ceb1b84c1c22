// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.CsvColumns;
import io.tidemark.api.features.FeatureExportRequest;
import io.tidemark.api.features.FeatureFormat;
import io.tidemark.api.features.FeatureInput;
import io.tidemark.api.features.FeatureLoadRequest;
import io.tidemark.api.features.FeatureMaintenanceRequest;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.features.bulk.output.Framing;
import io.tidemark.objects.JsonErrors;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;

/**
 * Routes of whole collections: loads, exports and maintenance. Few of them run at a time, since
 * each holds connections to the database for as long as its client takes.
 */
final class BulkRoutes {

  private static final String PARQUET = "application/vnd.apache.parquet";

  /** Export formats, the default first. */
  private static final List<FeatureFormat> FORMATS =
      List.of(
          FeatureFormat.GEOJSONSEQ,
          FeatureFormat.GEOJSON,
          FeatureFormat.RS,
          FeatureFormat.GEOPARQUET);

  private static final int CONNECTIONS_OF_A_LOAD = 2;
  private static final int EXPORTS = 4;

  private final FeatureRouteSupport featureRouteSupport;
  private final Semaphore loads = new Semaphore(1);
  private final Semaphore exports = new Semaphore(EXPORTS);

  BulkRoutes(FeatureRouteSupport featureRouteSupport) {
    this.featureRouteSupport = featureRouteSupport;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            "/v1/collections/{collection}/load",
            FeatureRouteSupport.writePermission(),
            this::load),
        new Route(
            "GET",
            "/v1/collections/{collection}/export",
            FeatureRouteSupport.readPermission(),
            this::export),
        new Route("POST", "/v1/features/maintain", RequiredPermission.admin(), this::maintain));
  }

  private RouteResponse load(HttpRequestContext httpRequestContext) throws IOException {
    String collection = httpRequestContext.path("collection");
    CollectionTransfer target =
        featureRouteSupport
            .writing(httpRequestContext, collection)
            .collection(collection)
            .transfer();
    try (InputStream body = decompressed(httpRequestContext)) {
      FeatureLoadRequest request = loaded(httpRequestContext, body);
      acquire(loads, "another load is under way");
      try {
        return RouteResponse.ok(WireJson.tree(target.load(request, now -> {})));
      } finally {
        loads.release();
      }
    }
  }

  private static FeatureLoadRequest loaded(HttpRequestContext httpRequestContext, InputStream body)
      throws IOException {
    return new FeatureLoadRequest(
        FeatureInput.of(body, "the body", loaded(httpRequestContext)),
        settings(httpRequestContext),
        httpRequestContext.flag("upsert"),
        httpRequestContext.flag("lastWins"),
        httpRequestContext.number("skipInvalid", 0, Long.MAX_VALUE).orElse(0L),
        csv(httpRequestContext),
        OptionalInt.of(CONNECTIONS_OF_A_LOAD));
  }

  private static void acquire(Semaphore places, String problem) {
    if (!places.tryAcquire()) {
      throw new ProblemException(
          Problem.of(503, "busy", problem + "; try again when it has ended"),
          Map.of("Retry-After", "5"));
    }
  }

  private static InputStream decompressed(HttpRequestContext httpRequestContext)
      throws IOException {
    String encoding = httpRequestContext.header("Content-Encoding").orElse("identity");
    return switch (encoding) {
      case "identity" -> httpRequestContext.stream();
      case "gzip" -> GzipRequestBody.of(httpRequestContext);
      default ->
          throw HttpRequestContext.invalid("a body comes as it is or as gzip, unlike " + encoding);
    };
  }

  /** Returns the format of a body, from the parameter or else from its media type. */
  private static FeatureFormat loaded(HttpRequestContext httpRequestContext) {
    String type =
        httpRequestContext.header("Content-Type").orElse("").replaceAll(";.*", "").strip();
    String name = httpRequestContext.query("format").orElse(type);
    return switch (name) {
      case "geojson", "application/geo+json", "application/json" -> FeatureFormat.GEOJSON;
      case "geojsonseq", "application/geo+json-seq", "application/x-ndjson" ->
          FeatureFormat.GEOJSONSEQ;
      case "csv", "text/csv" -> FeatureFormat.CSV;
      default ->
          throw HttpRequestContext.invalid(
              "the format '%s' can't be loaded; say geojson, geojsonseq or csv".formatted(name));
    };
  }

  private static Optional<CollectionSettings> settings(HttpRequestContext httpRequestContext)
      throws IOException {
    Optional<String> create = httpRequestContext.query("create");
    return create.isEmpty()
        ? Optional.empty()
        : Optional.of(settings(httpRequestContext, create.get()));
  }

  private static CollectionSettings settings(HttpRequestContext httpRequestContext, String text)
      throws IOException {
    try {
      if (httpRequestContext.json().readTree(text.isEmpty() ? "{}" : text)
          instanceof ObjectNode object) {
        HttpRequestContext.requireUnicode(object, "the parameter create");
        return httpRequestContext.json().treeToValue(object, CollectionSettings.class);
      }
    } catch (JsonProcessingException e) {
      throw HttpRequestContext.invalid(
          "the parameter create doesn't describe a collection: " + JsonErrors.reason(e));
    }
    throw HttpRequestContext.invalid(
        "the parameter create is a JSON object with the options of a collection");
  }

  private static CsvColumns csv(HttpRequestContext httpRequestContext) {
    Optional<String> delimiter = httpRequestContext.query("delimiter");
    if (delimiter.isPresent() && delimiter.get().length() != 1) {
      throw HttpRequestContext.invalid("the parameter delimiter is one character");
    }
    return new CsvColumns(
        httpRequestContext.query("lon"),
        httpRequestContext.query("lat"),
        httpRequestContext.query("id"),
        delimiter.map(text -> text.charAt(0)),
        httpRequestContext.flag("text"));
  }

  private RouteResponse export(HttpRequestContext httpRequestContext) throws IOException {
    FeatureExportRequest request =
        FeatureExportRequest.of(exported(httpRequestContext))
            .withAt(httpRequestContext.query("at").map(FeatureMoment::new));
    CollectionService collection =
        featureRouteSupport
            .reading(httpRequestContext)
            .collection(httpRequestContext.path("collection"));
    Object unused = collection.administration().info(); // its failure sets the status
    Optional<Framing> text = framing(request.format());
    if (text.isEmpty()) {
      return parquet(collection, request);
    }
    Framing framing = text.get();
    boolean wide = LargeIntegerEncoding.asText(httpRequestContext);
    return new RouteResponse.Streamed(
        200,
        framing.mediaType(),
        out -> {
          acquire(exports, EXPORTS + " exports are under way");
          try {
            if (wide) {
              withWideNumbers(httpRequestContext, request, framing, out);
            } else {
              long unusedCount = collection.transfer().export(request, out, count -> {});
            }
          } finally {
            exports.release();
          }
        },
        Map.of());
  }

  /** Returns the format of an export, from the parameter or else from {@code Accept}. */
  private static FeatureFormat exported(HttpRequestContext httpRequestContext) {
    return httpRequestContext
        .query("format")
        .map(BulkRoutes::format)
        .or(
            () ->
                httpRequestContext
                    .preferredType(FORMATS.stream().map(BulkRoutes::type).toList())
                    .map(BulkRoutes::ofType))
        .orElse(FORMATS.get(0));
  }

  private static FeatureFormat ofType(String type) {
    return FORMATS.stream().filter(format -> type(format).equals(type)).findFirst().orElseThrow();
  }

  private static String type(FeatureFormat format) {
    return framing(format).map(Framing::mediaType).orElse(PARQUET);
  }

  private static Optional<Framing> framing(FeatureFormat format) {
    return switch (format) {
      case GEOJSON -> Optional.of(Framing.COLLECTION);
      case GEOJSONSEQ -> Optional.of(Framing.LINES);
      case RS -> Optional.of(Framing.RFC_8142);
      case CSV, GEOPARQUET -> Optional.empty();
    };
  }

  private static FeatureFormat format(String name) {
    return FeatureFormat.of(name)
        .filter(FORMATS::contains)
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "there is no format '%s'; say geojson, geojsonseq, rs or geoparquet"
                        .formatted(name)));
  }

  private void withWideNumbers(
      HttpRequestContext httpRequestContext,
      FeatureExportRequest request,
      Framing framing,
      OutputStream out)
      throws IOException {
    FeatureQueryRequest all =
        FeatureQueryRequest.of(httpRequestContext.path("collection")).withAt(request.at());
    try (ResultStream<?, ObjectNode> features =
        featureRouteSupport.reading(httpRequestContext).queries().stream(all)) {
      FeatureSequenceWriter.write(features, out, framing, true);
    }
  }

  /**
   * Exports to a temporary file first, since a Parquet file's index is at its end; so the count is
   * known too.
   */
  private RouteResponse parquet(CollectionService collection, FeatureExportRequest request)
      throws IOException {
    acquire(exports, EXPORTS + " exports are under way");
    Path directory = Files.createTempDirectory("tidemark-export-");
    Path file = directory.resolve("features.parquet");
    try {
      long count = collection.transfer().export(request, file, done -> {});
      // The directory entry is deleted at once, so no file is left, whether it is sent or not.
      InputStream content = new FileInputStream(file.toFile());
      return new RouteResponse.Streamed(
          200,
          PARQUET,
          RouteResponse.BodyWriter.closing(
              content,
              out -> {
                long unused = content.transferTo(out);
              }),
          Map.of("Tidemark-Features", Long.toString(count)));
    } finally {
      exports.release();
      remove(file, directory);
    }
  }

  private static void remove(Path file, Path directory) throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(directory);
  }

  private RouteResponse maintain(HttpRequestContext httpRequestContext) throws IOException {
    FeatureMaintenanceRequest request = httpRequestContext.body(FeatureMaintenanceRequest.class);
    return RouteResponse.ok(
        WireJson.tree(
            featureRouteSupport.of(httpRequestContext).maintain(request, ProgressListener.none())));
  }
}
