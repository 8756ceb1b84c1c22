// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.objects.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Range of the schema versions that the rows of a file are of.
 *
 * @param lowest the first
 * @param highest the last; versions between the two may occur or not
 */
public record VersionRange(long lowest, long highest) {

  /** Reads the range from the footer of a file; empty when it doesn't say. */
  public static Optional<VersionRange> of(Path file) {
    try (ParquetFile parquet = ParquetFile.of(FileBytes.of(file))) {
      return parquet.limits(FileLayout.SCHEMA_VERSION_ID);
    } catch (ClosedByInterruptException e) {
      throw new StoreUnavailableException("reading " + file + " was interrupted; ask again", e);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file + "; look at the disk it is on", e);
    }
  }
}
