// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.Features;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.input.CsvOptions;
import io.tidemark.features.bulk.input.CsvOptions.Typing;
import io.tidemark.features.bulk.input.Format;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.output.Export;
import io.tidemark.features.bulk.output.ExportOptions;
import io.tidemark.features.bulk.output.ExportOptions.Form;
import io.tidemark.features.bulk.output.Framing;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.view.LoadJson;
import io.tidemark.features.view.MaintenanceJson;
import io.tidemark.features.view.Past;
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
import java.util.concurrent.Semaphore;

/**
 * Whole collections: loads, exports and the maintainer. Few of them run at a time, since each holds
 * connections to the database for as long as its caller takes.
 */
final class BulkRoutes {

  private static final String PARQUET = "application/vnd.apache.parquet";

  /** The forms of an export, the usual one first. */
  private static final List<Form> FORMS =
      List.of(Form.GEOJSON_SEQ, Form.GEOJSON, Form.GEOJSON_TEXT_SEQUENCE, Form.GEOPARQUET);

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
    Features features = desk.features();
    String collection = call.path("collection");
    LoadOptions options = loadOptions(call);
    Format format = format(call);
    CsvOptions csv = csv(call);
    hold(loads, "another load is under way");
    try (InputStream body = plain(call)) {
      Input input = Input.of(body, "the body", format).with(csv);
      return Reply.ok(
          LoadJson.of(
              features
                  .bulk()
                  .load(desk.actor(call, collection), collection, input, options)
                  .run(progress -> {})));
    } finally {
      loads.release();
    }
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

  /** As the parameter says, else as the body's type does. */
  private static Format format(Call call) {
    String type = call.header("Content-Type").orElse("").replaceAll(";.*", "").strip();
    String name = call.query("format").orElse(type);
    return switch (name) {
      case "geojson", "application/geo+json", "application/json" -> Format.GEOJSON;
      case "geojsonseq", "application/geo+json-seq", "application/x-ndjson" -> Format.GEOJSON_SEQ;
      case "csv", "text/csv" -> Format.CSV;
      default ->
          throw Call.invalid(
              "the format '%s' can't be loaded; say geojson, geojsonseq or csv".formatted(name));
    };
  }

  private static LoadOptions loadOptions(Call call) throws IOException {
    LoadOptions options =
        LoadOptions.standard()
            .with(call.flag("upsert") ? Existing.UPSERT : Existing.REFUSE)
            .with(call.flag("lastWins") ? Duplicates.LAST_WINS : Duplicates.REFUSE)
            .skipping(call.number("skipInvalid", 0, Long.MAX_VALUE).orElse(0L))
            .inParallel(CONNECTIONS_OF_A_LOAD);
    Optional<String> create = call.query("create");
    return create.isEmpty()
        ? options
        : options.creating(CollectionOptions.of(object(call, create.get())));
  }

  private static ObjectNode object(Call call, String text) throws IOException {
    try {
      if (call.json().readTree(text.isEmpty() ? "{}" : text) instanceof ObjectNode object) {
        Call.requireUnicode(object, "the parameter create");
        return object;
      }
    } catch (JsonProcessingException e) {
      throw Call.invalid("the parameter create is no JSON: " + JsonErrors.reason(e));
    }
    throw Call.invalid("the parameter create is a JSON object with the options of a collection");
  }

  private static CsvOptions csv(Call call) {
    Optional<String> delimiter = call.query("delimiter");
    if (delimiter.isPresent() && delimiter.get().length() != 1) {
      throw Call.invalid("the parameter delimiter is one character");
    }
    return CsvOptions.standard()
        .withColumns(call.query("lon").orElse(null), call.query("lat").orElse(null))
        .withId(call.query("id").orElse(null))
        .separatedBy(delimiter.map(text -> text.charAt(0)).orElse(null))
        .typed(call.flag("text") ? Typing.TEXT : Typing.BY_LOOKS);
  }

  private Reply export(Call call) throws IOException {
    Form form = form(call);
    Optional<Past> past = call.query("at").map(Past::parse);
    String collection = call.path("collection");
    Object unused = desk.read(call, reading -> reading.collection(collection));
    ExportOptions options =
        ExportOptions.of(form).with(past.map(Past::export).orElseGet(ExportOptions.At.Now::new));
    Export export = desk.features().bulk().export(collection, options);
    Optional<Framing> text = form.framing();
    if (text.isEmpty()) {
      return parquet(export);
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
              withWideNumbers(call, past, framing, out);
            } else {
              long unusedCount = export.to(out, count -> {});
            }
          } finally {
            exports.release();
          }
        },
        Map.of());
  }

  /** As the parameter says, else as the type that Accept likes best says. */
  private static Form form(Call call) {
    return call.query("format")
        .map(BulkRoutes::form)
        .or(() -> call.accepted(FORMS.stream().map(BulkRoutes::type).toList()).map(BulkRoutes::of))
        .orElse(FORMS.get(0));
  }

  private static Form of(String type) {
    return FORMS.stream().filter(form -> type(form).equals(type)).findFirst().orElseThrow();
  }

  private static String type(Form form) {
    return form.framing().map(Framing::mediaType).orElse(PARQUET);
  }

  private static Form form(String name) {
    return switch (name) {
      case "geojson" -> Form.GEOJSON;
      case "geojsonseq" -> Form.GEOJSON_SEQ;
      case "rs" -> Form.GEOJSON_TEXT_SEQUENCE;
      case "geoparquet" -> Form.GEOPARQUET;
      default ->
          throw Call.invalid(
              "there is no format '%s'; say geojson, geojsonseq, rs or geoparquet".formatted(name));
    };
  }

  private void withWideNumbers(Call call, Optional<Past> past, Framing framing, OutputStream out)
      throws IOException {
    FeatureQuery.Builder query = FeatureQuery.from(call.path("collection"));
    past.map(Past::states).ifPresent(query::states);
    FeatureQuery all = query.build();
    Sequence sequence = new Sequence(out, framing, true);
    long unused = desk.read(call, reading -> reading.each(all, sequence::write));
    sequence.end();
  }

  /** Written to a file first, as its end says where its parts are; so the number is known too. */
  private Reply parquet(Export export) throws IOException {
    hold(exports, EXPORTS + " exports are under way");
    Path directory = Files.createTempDirectory("tidemark-export-");
    Path file = directory.resolve("features.parquet");
    try {
      long count = export.to(file, done -> {});
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
    ObjectNode wanted = call.bodyIfAny();
    return Reply.ok(MaintenanceJson.of(desk.features().maintain(MaintenanceJson.options(wanted))));
  }
}
