// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import io.tidemark.features.bulk.output.CollectionExportOptions.IfExists;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.objects.internal.files.NewFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * Export of a collection into a file: all features of one snapshot, regardless of concurrent
 * writes. At most a thousand features are in memory. The file appears only once it is complete, and
 * replaces another file only if the options ask for that.
 */
public final class CollectionExport {

  private static final int BUFFER = 1 << 16;

  private final StateReader.Source source;
  private final CollectionExportOptions options;

  /** See {@link io.tidemark.features.bulk.BulkOperations#export}. */
  public CollectionExport(
      FeatureStorage featureStorage, String collection, CollectionExportOptions options) {
    this.source = new StateReader.Source(featureStorage, collection, options.at());
    this.options = options;
  }

  /**
   * Writes the export into a file.
   *
   * @param listener gets the number of features written so far, from time to time
   * @return number of features
   */
  public long to(Path file, LongConsumer listener) {
    try (NewFile target = target(file)) {
      long count =
          options.form() == OutputFormat.GEOPARQUET
              ? source.read(new GeoParquetWriter(target, listener)::write)
              : sequence(target, listener);
      target.finish();
      return count;
    } catch (IOException | UncheckedIOException e) {
      throw NewFile.failure(file, e);
    }
  }

  private NewFile target(Path file) {
    return options.there() == IfExists.REPLACE ? NewFile.replacing(file) : NewFile.at(file);
  }

  private long sequence(NewFile target, LongConsumer listener) throws IOException {
    try (OutputStream out = Files.newOutputStream(target.part())) {
      return to(out, listener);
    }
  }

  /**
   * Writes the export into a stream, which isn't possible for GeoParquet.
   *
   * @param listener gets the number of features written so far, from time to time
   * @return number of features
   */
  public long to(OutputStream stream, LongConsumer listener) {
    Framing framing =
        options
            .form()
            .framing()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        "GeoParquet can't be written to a stream; name a file"));
    try {
      BufferedOutputStream out = new BufferedOutputStream(stream, BUFFER);
      long count = source.read(new GeoJsonWriter(out, framing, listener)::write);
      out.flush();
      return count;
    } catch (IOException | UncheckedIOException e) {
      throw NewFile.failure("the output", e);
    }
  }
}
