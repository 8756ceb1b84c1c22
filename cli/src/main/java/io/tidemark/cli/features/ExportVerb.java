// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.client.features.HttpExport;
import io.tidemark.features.Features;
import io.tidemark.features.bulk.output.Export;
import io.tidemark.features.bulk.output.ExportOptions;
import io.tidemark.features.bulk.output.ExportOptions.At;
import io.tidemark.features.bulk.output.ExportOptions.Form;
import io.tidemark.features.bulk.output.ExportOptions.IfThere;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark features export COLLECTION FILE}. */
@Command(
    name = "export",
    description =
        "Writes a collection into a file, all of it as it is or was at one moment. The file is"
            + " there when it is whole.",
    footer = {
      "",
      "Exit code 6: the file is there already.",
      "",
      "Examples:",
      "  tidemark features export roads roads.geojson",
      "  tidemark features export roads roads.geojsonl",
      "  tidemark features export roads roads.parquet --at 2026-01-31T12:00:00Z",
      "  tidemark features export roads - | gzip > roads.geojsonl.gz"
    })
final class ExportVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private StorageChoice storage;

  @Parameters(index = "0", paramLabel = "COLLECTION", description = "The id of the collection.")
  private String collection;

  @Parameters(index = "1", paramLabel = "FILE", description = "The file, or - for standard output.")
  private String file;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = {
        "geojson (a FeatureCollection), geojsonseq (a",
        "feature a line), rs (RFC 8142) or geoparquet.",
        "Default: what the file's name says."
      })
  private @Nullable String format;

  @Option(
      names = "--at",
      paramLabel = "TXN|TIME",
      description =
          "As it was with this transaction, or at this time; without an offset it is local.")
  private @Nullable String at;

  @Option(names = "--replace", description = "Replace the file if it is there.")
  private boolean replace;

  @Override
  public Integer call() {
    Form form = form();
    IfThere there = replace ? IfThere.REPLACE : IfThere.REFUSE;
    Optional<Moment> moment = Optional.ofNullable(at).map(text -> Moment.parse(text, spec));
    At then = moment.map(each -> each.past().export()).orElseGet(At.Now::new);
    ExportOptions options = ExportOptions.of(form).with(then).with(there);
    return storage.ask(
        features -> export(features, options),
        server -> {
          HttpExport export = server.export(collection, name(form), moment.map(Moment::text));
          return export(new Download(export, there)::to, out -> export.to(out, count -> {}));
        });
  }

  private Form form() {
    if (format == null) {
      return Form.of(file.equals("-") ? "-.geojsonl" : file)
          .orElseThrow(
              () ->
                  new ParameterException(
                      spec.commandLine(),
                      "the name " + file + " doesn't tell the format; say --format"));
    }
    return switch (format) {
      case "geojson" -> Form.GEOJSON;
      case "geojsonseq" -> Form.GEOJSON_SEQ;
      case "rs" -> Form.GEOJSON_TEXT_SEQUENCE;
      case "geoparquet" -> Form.GEOPARQUET;
      default ->
          throw new ParameterException(
              spec.commandLine(),
              "there is no format '" + format + "'; say geojson, geojsonseq, rs or geoparquet");
    };
  }

  private static String name(Form form) {
    return switch (form) {
      case GEOJSON -> "geojson";
      case GEOJSON_SEQ -> "geojsonseq";
      case GEOJSON_TEXT_SEQUENCE -> "rs";
      case GEOPARQUET -> "geoparquet";
    };
  }

  private int export(Features features, ExportOptions options) {
    Export export = features.bulk().export(collection, options);
    return export(export::to, out -> export.to(out, count -> {}));
  }

  /** Writes a file, tells how many features were written, and returns how many there are. */
  @FunctionalInterface
  private interface ToFile {
    long write(Path target, LongConsumer listener);
  }

  private int export(ToFile toFile, Consumer<OutputStream> toStream) {
    if (file.equals("-")) {
      toStream.accept(System.out);
      return ExitCodes.OK;
    }
    Progress progress = storage.progress();
    long count;
    try {
      count =
          toFile.write(
              Path.of(file), done -> progress.at(ShownLoad.count(done) + " written to " + file));
    } finally {
      progress.end();
    }
    storage.print(
        JsonNodeFactory.instance.objectNode().put("file", file).put("features", count),
        ShownLoad.count(count) + " written to " + file);
    return ExitCodes.OK;
  }
}
