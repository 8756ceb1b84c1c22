// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.client.features.HttpExport;
import io.tidemark.features.bulk.output.ExportOptions.IfThere;
import io.tidemark.objects.internal.files.NewFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * A collection from a server into a file, which is there when it is whole.
 *
 * @param export what the server sends
 * @param there what to do when the file is there already
 */
record Download(HttpExport export, IfThere there) {

  /** Writes it; returns how many features there are. */
  long to(Path file, LongConsumer listener) {
    try (NewFile target = there == IfThere.REPLACE ? NewFile.replacing(file) : NewFile.at(file)) {
      long count;
      try (OutputStream out = Files.newOutputStream(target.part())) {
        count = export.to(out, listener);
      }
      target.finish();
      return count;
    } catch (IOException e) {
      throw NewFile.failure(file, e);
    }
  }
}
