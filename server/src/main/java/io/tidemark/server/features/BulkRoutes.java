// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.Streamed;
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
import io.tidemark.server.access.Need;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.WideNumbers;
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
 * Whole collections: loads, exports and the maintainer. Few of them run at a time, since each holds
 * connections to the database for as long as its caller takes.
 */
final class BulkRoutes {

  private static final String PARQUET = "application/vnd.apache.parquet";

  /** Formats of an export, the standard one first. */
  private static final List<FeatureFormat> FORMATS =
      List.of(
          FeatureFormat.GEOJSONSEQ,
          FeatureFormat.GEOJSON,
          FeatureFormat.RS,
          FeatureFormat.GEOPARQUET);

  private static final int CONNECTIONS_OF_A_LOAD = 2;
  private static final int EXPORTS = 4;

  private final Desk desk;
  private final Semaphore loads = new Semaphore(1);
  private final Semaphore exports = new Semaphore(EXPORTS);

  BulkRoutes(Desk desk) {
    this.desk = desk;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", "/v1/collections/{collection}/load", Desk.writes(), this::load),
        new Route("GET", "/v1/collections/{collection}/export", Desk.reads(), this::export),
        new Route("POST", "/v1/features/maintain", Need.admin(), this::maintain));
  }

  private Reply load(Call call) throws IOException {
    String collection = call.path("collection");
    CollectionTransfer target = desk.writing(call, collection).collection(collection).transfer();
    try (InputStream body = plain(call)) {
      FeatureLoadRequest request = loaded(call, body);
      hold(loads, "another load is under way");
      try {
        return Reply.ok(WireJson.tree(target.load(request, now -> {})));
      } finally {
        loads.release();
      }
    }
  }

  private static FeatureLoadRequest loaded(Call call, InputStream body) throws IOException {
    return new FeatureLoadRequest(
        FeatureInput.of(body, "the body", loaded(call)),
        settings(call),
        call.flag("upsert"),
        call.flag("lastWins"),
        call.number("skipInvalid", 0, Long.MAX_VALUE).orElse(0L),
        csv(call),
        OptionalInt.of(CONNECTIONS_OF_A_LOAD));
  }

  private static void hold(Semaphore places, String problem) {
    if (!places.tryAcquire()) {
      throw new ProblemException(
          Problem.of(503, "busy", problem + "; try again when it has ended"),
          Map.of("Retry-After", "5"));
    }
  }

  private static InputStream plain(Call call) throws IOException {
    String encoding = call.header("Content-Encoding").orElse("identity");
    return switch (encoding) {
      case "identity" -> call.stream();
      case "gzip" -> UnpackedBody.of(call);
      default -> throw Call.invalid("a body comes as it is or as gzip, unlike " + encoding);
    };
  }

  /** Returns the format of a body, by the parameter or else by its type. */
  private static FeatureFormat loaded(Call call) {
    String type = call.header("Content-Type").orElse("").replaceAll(";.*", "").strip();
    String name = call.query("format").orElse(type);
    return switch (name) {
      case "geojson", "application/geo+json", "application/json" -> FeatureFormat.GEOJSON;
      case "geojsonseq", "application/geo+json-seq", "application/x-ndjson" ->
          FeatureFormat.GEOJSONSEQ;
      case "csv", "text/csv" -> FeatureFormat.CSV;
      default ->
          throw Call.invalid(
              "the format '%s' can't be loaded; say geojson, geojsonseq or csv".formatted(name));
    };
  }

  private static Optional<CollectionSettings> settings(Call call) throws IOException {
    Optional<String> create = call.query("create");
    return create.isEmpty() ? Optional.empty() : Optional.of(settings(call, create.get()));
  }

  private static CollectionSettings settings(Call call, String text) throws IOException {
    try {
      if (call.json().readTree(text.isEmpty() ? "{}" : text) instanceof ObjectNode object) {
        Call.requireUnicode(object, "the parameter create");
        return call.json().treeToValue(object, CollectionSettings.class);
      }
    } catch (JsonProcessingException e) {
      throw Call.invalid(
          "the parameter create doesn't describe a collection: " + JsonErrors.reason(e));
    }
    throw Call.invalid("the parameter create is a JSON object with the options of a collection");
  }

  private static CsvColumns csv(Call call) {
    Optional<String> delimiter = call.query("delimiter");
    if (delimiter.isPresent() && delimiter.get().length() != 1) {
      throw Call.invalid("the parameter delimiter is one character");
    }
    return new CsvColumns(
        call.query("lon"),
        call.query("lat"),
        call.query("id"),
        delimiter.map(text -> text.charAt(0)),
        call.flag("text"));
  }

  private Reply export(Call call) throws IOException {
    FeatureExportRequest request =
        FeatureExportRequest.of(exported(call)).withAt(call.query("at").map(FeatureMoment::new));
    CollectionService collection = desk.reading(call).collection(call.path("collection"));
    Object unused = collection.administration().info(); // what is wrong is told by the status
    Optional<Framing> text = framing(request.format());
    if (text.isEmpty()) {
      return parquet(collection, request);
    }
    Framing framing = text.get();
    boolean wide = WideNumbers.asText(call);
    return new Reply.Streamed(
        200,
        framing.mediaType(),
        out -> {
          hold(exports, EXPORTS + " exports are under way");
          try {
            if (wide) {
              withWideNumbers(call, request, framing, out);
            } else {
              long unusedCount = collection.transfer().export(request, out, count -> {});
            }
          } finally {
            exports.release();
          }
        },
        Map.of());
  }

  /** Returns the format of an export, by the parameter or else by what Accept prefers. */
  private static FeatureFormat exported(Call call) {
    return call.query("format")
        .map(BulkRoutes::format)
        .or(
            () ->
                call.accepted(FORMATS.stream().map(BulkRoutes::type).toList())
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
                Call.invalid(
                    "there is no format '%s'; say geojson, geojsonseq, rs or geoparquet"
                        .formatted(name)));
  }

  private void withWideNumbers(
      Call call, FeatureExportRequest request, Framing framing, OutputStream out)
      throws IOException {
    FeatureQueryRequest all = FeatureQueryRequest.of(call.path("collection")).withAt(request.at());
    try (Streamed<?, ObjectNode> features = desk.reading(call).queries().stream(all)) {
      Sequence.write(features, out, framing, true);
    }
  }

  /** Written to a file first, as its end says where its parts are; so the number is known too. */
  private Reply parquet(CollectionService collection, FeatureExportRequest request)
      throws IOException {
    hold(exports, EXPORTS + " exports are under way");
    Path directory = Files.createTempDirectory("tidemark-export-");
    Path file = directory.resolve("features.parquet");
    try {
      long count = collection.transfer().export(request, file, done -> {});
      // Its name goes at once: so nothing is left of it, whether it is sent or not.
      InputStream content = new FileInputStream(file.toFile());
      return new Reply.Streamed(
          200,
          PARQUET,
          Reply.Writing.holding(
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

  private Reply maintain(Call call) throws IOException {
    FeatureMaintenanceRequest request = call.body(FeatureMaintenanceRequest.class);
    return Reply.ok(WireJson.tree(desk.of(call).maintain(request, ProgressListener.none())));
  }
}
