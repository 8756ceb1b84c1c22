// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import io.tidemark.api.Cancellation;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.CsvColumns;
import io.tidemark.api.features.FeatureExportRequest;
import io.tidemark.api.features.FeatureInput;
import io.tidemark.api.features.FeatureLoadProgress;
import io.tidemark.api.features.FeatureLoadReport;
import io.tidemark.api.features.FeatureLoadRequest;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.features.bulk.CollectionLoad;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.input.CsvOptions;
import io.tidemark.features.bulk.input.CsvOptions.Typing;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.input.InputFormat;
import io.tidemark.features.bulk.output.CollectionExport;
import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.bulk.output.CollectionExportOptions.IfExists;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.view.PointInTime;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Loads and exports of a collection in process. */
record EmbeddedFeatureTransfer(FeatureUse use, String id) implements CollectionTransfer {

  @Override
  public FeatureLoadReport load(
      FeatureLoadRequest request, Consumer<FeatureLoadProgress> listener) {
    CollectionLoad collectionLoad =
        use.features().bulk().load(use.actor(), id, input(request), options(request));
    try (Cancellation.Registration unused =
        use.context().cancellation().onCancel(why -> collectionLoad.stop())) {
      return FeatureResults.load(
          use.commit(
              () -> collectionLoad.run(now -> listener.accept(FeatureResults.progress(now)))));
    }
  }

  private static Input input(FeatureLoadRequest request) {
    InputFormat inputFormat = format(request.input());
    Input input =
        request.input() instanceof FeatureInput.InStream stream
            ? Input.of(stream.stream(), stream.name(), inputFormat)
            : Input.of(((FeatureInput.InFile) request.input()).file(), inputFormat);
    return input.with(csv(request.csv()));
  }

  private static InputFormat format(FeatureInput input) {
    return switch (input.format()) {
      case GEOJSON -> InputFormat.GEOJSON;
      case GEOJSONSEQ, RS -> InputFormat.GEOJSON_SEQ;
      case CSV -> InputFormat.CSV;
      case GEOPARQUET ->
          throw new InvalidRequestException(
              "the format 'geoparquet' can't be loaded; say geojson, geojsonseq or csv");
    };
  }

  private static CsvOptions csv(CsvColumns columns) {
    return CsvOptions.standard()
        .withColumns(columns.lon().orElse(null), columns.lat().orElse(null))
        .withId(columns.id().orElse(null))
        .separatedBy(columns.delimiter().orElse(null))
        .typed(columns.text() ? Typing.TEXT : Typing.BY_LOOKS);
  }

  private static LoadOptions options(FeatureLoadRequest request) {
    LoadOptions standard = LoadOptions.standard();
    LoadOptions options =
        standard
            .with(request.upsert() ? Existing.UPSERT : Existing.REFUSE)
            .with(request.lastWins() ? Duplicates.LAST_WINS : Duplicates.REFUSE)
            .skipping(request.skipInvalid())
            .inParallel(request.parallel().orElse(standard.parallel()));
    return request
        .create()
        .map(settings -> options.creating(FeatureResults.options(settings)))
        .orElse(options);
  }

  @Override
  public long export(FeatureExportRequest request, OutputStream out, LongConsumer progress) {
    return export(request).to(out, cancellable(progress));
  }

  @Override
  public long export(FeatureExportRequest request, Path file, LongConsumer progress) {
    return export(request).to(file, cancellable(progress));
  }

  private LongConsumer cancellable(LongConsumer progress) {
    return count -> {
      use.context().cancellation().check();
      progress.accept(count);
    };
  }

  private CollectionExport export(FeatureExportRequest request) {
    CollectionExportOptions options =
        CollectionExportOptions.of(form(request))
            .with(request.replace() ? IfExists.REPLACE : IfExists.REFUSE)
            .with(
                request
                    .at()
                    .map(FeatureMoment::text)
                    .map(PointInTime::parse)
                    .map(PointInTime::export)
                    .orElseGet(CollectionExportOptions.At.Now::new));
    return use.features().bulk().export(id, options);
  }

  private static OutputFormat form(FeatureExportRequest request) {
    return switch (request.format()) {
      case GEOJSON -> OutputFormat.GEOJSON;
      case GEOJSONSEQ -> OutputFormat.GEOJSON_SEQ;
      case RS -> OutputFormat.GEOJSON_TEXT_SEQUENCE;
      case GEOPARQUET -> OutputFormat.GEOPARQUET;
      case CSV ->
          throw new InvalidRequestException(
              "the format 'csv' can't be exported; say geojson, geojsonseq, rs or geoparquet");
    };
  }
}
