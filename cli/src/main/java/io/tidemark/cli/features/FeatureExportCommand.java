// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.FeatureExportRequest;
import io.tidemark.api.features.FeatureFormat;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.ProgressLine;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
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
final class FeatureExportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private FeatureStorageMixin storage;

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
    FeatureExportRequest request =
        new FeatureExportRequest(format(), Optional.ofNullable(at).map(storage::moment), replace);
    return storage.ask(service -> export(service.collection(collection).transfer(), request));
  }

  private FeatureFormat format() {
    Optional<FeatureFormat> chosen =
        format == null
            ? FeatureFormat.ofFileName(file.equals("-") ? "-.geojsonl" : file)
            : FeatureFormat.of(format);
    return chosen
        .filter(each -> each != FeatureFormat.CSV)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    format == null
                        ? "the name " + file + " doesn't tell the format; say --format"
                        : "there is no format '"
                            + format
                            + "'; say geojson, geojsonseq, rs or geoparquet"));
  }

  private int export(CollectionTransfer transfer, FeatureExportRequest request) {
    if (file.equals("-")) {
      long unused = transfer.export(request, System.out, count -> {});
      return ExitCodes.OK;
    }
    ProgressLine progressLine = storage.progress();
    long count;
    try {
      count =
          transfer.export(
              request,
              Path.of(file),
              done -> progressLine.show(LoadProgressFormatter.count(done) + " written to " + file));
    } finally {
      progressLine.clear();
    }
    storage.print(
        JsonNodeFactory.instance.objectNode().put("file", file).put("features", count),
        LoadProgressFormatter.count(count) + " written to " + file);
    return ExitCodes.OK;
  }
}
