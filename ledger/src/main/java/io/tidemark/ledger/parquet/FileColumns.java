// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Which columns a file has, for whoever reads more of them than rows are made of. */
public final class FileColumns {

  private FileColumns() {}

  /**
   * Whether a file has exactly the columns that rows of a type are written with here. Files of
   * other programs, and of other versions of the type, may have columns of the same name with
   * something else in them.
   */
  public static boolean areOf(TypeSchema type, Path file) {
    try (ParquetFile parquet = ParquetFile.of(FileBytes.of(file))) {
      return parquet.hasExactly(FileLayout.of(type).columns());
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file + "; look at the disk it is on", e);
    }
  }
}
