// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.tidemark.api.ResultStream;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Rows out of a ledger and into one, as lines of JSON. */
public interface LedgerTransfer {

  /** Returns the lines of all types, one type after the other, all as of one commit. */
  ResultStream<ExportHeader, String> lines(ExportRequest request);

  /**
   * Writes the lines to a directory, a file for each type, and the schemas to another one.
   *
   * @param progress told now and then how many rows have been written
   */
  default ExportReport export(ExportRequest request, Path directory, LongConsumer progress) {
    try (ResultStream<ExportHeader, String> lines = lines(request)) {
      return ExportFiles.write(lines, directory, progress);
    }
  }

  /**
   * Reads rows into the ledger, or says what that would do. All rows are read and checked before
   * the first commit. A conflict is a result.
   *
   * @param progress told now and then how many rows have been read, where that is known
   */
  ImportReport importRows(ImportRequest request, LongConsumer progress);
}
