// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.ObjectStore.Download;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.hash.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Fetcher of data files, each by one request, which checks that they are what commits wrote. */
public record FileFetcher(LedgerObjects objects) {

  /** Larger files are read from the disk, and not fetched before it is their turn. */
  private static final long LARGE = 16 << 20;

  /** Larger files wait on the disk, not in memory, until it is their turn. */
  private static final long SMALL = 1 << 20;

  /** Fetches a file whose turn it is: a large one to the disk, any other into memory. */
  FetchedFile fetch(TypeFileResolver.Source source) {
    return fetch(source, (size, in) -> size > LARGE ? copy(in) : bytes(in));
  }

  /** Fetches a file whose turn may be long in coming, while other files wait with it. */
  FetchedFile fetchAhead(TypeFileResolver.Source source) {
    return fetch(
        source,
        (size, in) -> {
          if (size > LARGE) {
            return new FetchedFile.Deferred();
          }
          return size > SMALL ? copy(in) : bytes(in);
        });
  }

  @FunctionalInterface
  private interface ContentReader {
    FetchedFile take(long size, InputStream in) throws IOException;
  }

  private FetchedFile fetch(TypeFileResolver.Source source, ContentReader contentReader) {
    return reading(
        source,
        () -> {
          Sha256 hash = new Sha256();
          Download download = open(source);
          try (InputStream in = hash.reading(download.stream())) {
            FetchedFile file = contentReader.take(download.size(), in);
            checkOrClose(source, file, hash);
            return file;
          }
        });
  }

  private Download open(TypeFileResolver.Source source) {
    return objects
        .store()
        .openStream(objects.key(source.path()))
        .orElseThrow(() -> objects.corrupt(source.path(), "is missing"));
  }

  private static FetchedFile bytes(InputStream in) throws IOException {
    return new FetchedFile.Bytes(in.readAllBytes());
  }

  private static FetchedFile copy(InputStream in) throws IOException {
    ScratchFile copy = new ScratchFile();
    try (OutputStream out = new BufferedOutputStream(copy.append(), 1 << 16)) {
      in.transferTo(out);
    } catch (IOException | RuntimeException e) {
      copy.close();
      throw e;
    }
    return new FetchedFile.Copy(copy);
  }

  private void checkOrClose(TypeFileResolver.Source source, FetchedFile file, Sha256 hash) {
    if (file instanceof FetchedFile.Deferred) {
      return;
    }
    try {
      check(source, hash);
    } catch (CorruptLedgerException e) {
      file.close();
      throw e;
    }
  }

  private void check(TypeFileResolver.Source source, Sha256 hash) {
    if (source.sha256().isEmpty()) {
      return;
    }
    String found = hash.hex();
    if (!source.sha256().get().equals(found)) {
      throw objects.corrupt(
          source.path(),
          "isn't what its commit wrote: its SHA-256 is "
              + found
              + ", the manifest says "
              + source.sha256().get());
    }
  }

  /**
   * Writes a file to a path.
   *
   * @throws CorruptLedgerException when it is missing, or isn't what its commit wrote
   * @throws StoreUnavailableException when reading it breaks off
   * @throws IOException when it can't be written there
   */
  public void download(TypeFileResolver.Source source, Path target) throws IOException {
    Sha256 hash = new Sha256();
    try (InputStream in = hash.reading(open(source).stream());
        OutputStream out = Files.newOutputStream(target)) {
      byte[] buffer = new byte[1 << 16];
      for (int read = read(source, in, buffer); read >= 0; read = read(source, in, buffer)) {
        out.write(buffer, 0, read);
      }
    }
    check(source, hash);
  }

  private int read(TypeFileResolver.Source source, InputStream in, byte[] buffer) {
    try {
      return in.read(buffer);
    } catch (IOException e) {
      throw brokeOff(source, e);
    }
  }

  /** Runs an action on a file, and names the file when the action fails. */
  <T> T reading(TypeFileResolver.Source source, FileAction<T> work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw brokeOff(source, e);
    } catch (UncheckedIOException e) {
      // An interrupt does this to a thread that reads a copy on the disk; the file is fine.
      throw e.getCause() instanceof ClosedChannelException ? brokeOff(source, e) : e;
    } catch (TidemarkException e) {
      throw e.code().equals("corrupt") && !(e instanceof CorruptLedgerException)
          ? objects.corrupt(source.path(), "can't be read: " + e.getMessage())
          : e;
    }
  }

  private StoreUnavailableException brokeOff(TypeFileResolver.Source source, Exception e) {
    return new StoreUnavailableException(
        "reading " + source.path() + " in " + objects.location() + " broke off; ask again", e);
  }

  /** Action on a file. */
  @FunctionalInterface
  interface FileAction<T> {
    T run() throws IOException;
  }
}
