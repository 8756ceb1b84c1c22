// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.ledger.internal.parquet.RowReader;
import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.Body;
import io.tidemark.objects.ObjectStore.Download;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.hash.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A data file that was read whole and found to be what its commit wrote: by its hash or, where
 * another program left that out, by the number of its rows. A large one is on the disk meanwhile.
 *
 * @param sha256 of its bytes
 */
record VerifiedDataFile(Body body, String sha256, @Nullable ScratchFile scratch)
    implements AutoCloseable {

  private static final int SMALL = 1 << 20;
  private static final int TRIES = 5;

  /** Reads a file; an error about damage names the file. */
  static VerifiedDataFile of(LedgerObjects objects, DataFile file) {
    VerifiedDataFile fetched =
        read(objects, file.path()).orElseThrow(() -> objects.corrupt(file.path(), "is missing"));
    try {
      fetched.check(objects, file);
      return fetched;
    } catch (RuntimeException e) {
      fetched.close();
      throw e;
    }
  }

  private static Optional<VerifiedDataFile> read(LedgerObjects objects, String path) {
    for (int i = 1; ; i++) {
      Optional<Download> opened = objects.store().openStream(objects.key(path));
      if (opened.isEmpty()) {
        return Optional.empty();
      }
      try (Download download = opened.get()) {
        return Optional.of(download(download));
      } catch (IOException e) {
        if (i == TRIES) {
          throw new StoreUnavailableException(
              "reading " + path + " in " + objects.location() + " broke off; try again", e);
        }
      }
    }
  }

  /** Returns the hash of an object as it is now; empty when there is none. */
  static Optional<String> sha256(LedgerObjects objects, String path) {
    Optional<VerifiedDataFile> there = read(objects, path);
    there.ifPresent(VerifiedDataFile::close);
    return there.map(VerifiedDataFile::sha256);
  }

  private static VerifiedDataFile download(Download download) throws IOException {
    Sha256 hash = new Sha256();
    InputStream in = hash.reading(download.stream());
    if (download.size() <= SMALL) {
      byte[] bytes = in.readAllBytes();
      requireWhole(download, bytes.length);
      return new VerifiedDataFile(Body.of(bytes), hash.hex(), null);
    }
    ScratchFile scratch = new ScratchFile();
    try (OutputStream out = new BufferedOutputStream(scratch.append(), 1 << 16)) {
      in.transferTo(out);
    } catch (IOException | RuntimeException e) {
      scratch.close();
      throw e;
    }
    requireWhole(download, scratch.size());
    Body body = Body.ofStream(scratch.size(), () -> scratch.read(0));
    return new VerifiedDataFile(body, hash.hex(), scratch);
  }

  private static void requireWhole(Download download, long read) throws IOException {
    if (read != download.size()) {
      throw new IOException("it ended after " + read + " of " + download.size() + " bytes");
    }
  }

  private void check(LedgerObjects objects, DataFile file) {
    if (file.sha256().isPresent() && !file.sha256().get().equals(sha256)) {
      throw objects.corrupt(
          file.path(),
          "isn't what its commit wrote: its SHA-256 is "
              + sha256
              + ", the manifest says "
              + file.sha256().get());
    }
    if (file.sha256().isEmpty() && rows(objects, file) != file.rowCount()) {
      throw objects.corrupt(
          file.path(), "hasn't the " + file.rowCount() + " rows that its manifest says");
    }
  }

  private long rows(LedgerObjects objects, DataFile file) {
    try (InputStream in = body.open();
        RowReader reader =
            scratch == null
                ? RowReader.open(file.type().kind(), in.readAllBytes())
                : RowReader.open(file.type().kind(), scratch.channel())) {
      return reader.rowCount();
    } catch (TidemarkException e) {
      throw objects.corrupt(file.path(), "can't be read: " + e.getMessage());
    } catch (IOException e) {
      throw new StoreUnavailableException("a temporary file can't be read; try again", e);
    }
  }

  @Override
  public void close() {
    if (scratch != null) {
      scratch.close();
    }
  }
}
