// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;

/** Columns that a file has, for readers of more of them than rows are made of. */
public enum FileColumns {
  /** Exactly those that rows of a type are written with here. */
  OF_ROWS,
  /** These, and behind them {@link #UNTIL}. */
  OF_VERSIONS,
  /**
   * Any other columns. Files of other programs, and of other versions of the type, may have columns
   * of the same name with something else in them.
   */
  OTHERS;

  /**
   * The commit with which the next version of the row came, as far as it is in the same file; the
   * greatest number for the last. With it the state at any commit up to the file's last is told by
   * a condition on two numbers. No field can have that name.
   */
  public static final String UNTIL = "until#";

  /** Returns which of these columns a file has. */
  public static FileColumns of(TypeSchema type, Path file) {
    try (ParquetFile parquet = ParquetFile.of(FileBytes.of(file))) {
      FileLayout layout = FileLayout.of(type);
      if (parquet.hasExactly(layout.columns())) {
        return OF_ROWS;
      }
      return parquet.hasExactly(layout.columnsOfVersions()) ? OF_VERSIONS : OTHERS;
    } catch (ClosedByInterruptException e) {
      throw new StoreUnavailableException("reading " + file + " was interrupted; ask again", e);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file + "; look at the disk it is on", e);
    }
  }
}
