// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.ledger.Row;
import io.tidemark.ledger.parquet.RowReader;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.scratch.ScratchFile;
import io.tidemark.objects.ObjectStore.Download;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the rows of data files, after making sure that each is what its commit wrote. */
public final class RowFiles {

  private static final Logger LOG = LoggerFactory.getLogger(RowFiles.class);

  /** Larger files are read from the disk, not from memory. */
  private static final long IN_MEMORY = 16 << 20;

  /** Larger files aren't fetched before it is their turn. */
  private static final long SMALL = 1 << 20;

  private final LedgerObjects objects;

  public RowFiles(LedgerObjects objects) {
    this.objects = objects;
  }

  /**
   * Hands on every row of a file.
   *
   * @throws CorruptLedgerException when the file is missing, isn't what its commit wrote or can't
   *     be read; before any row is handed on, unless it is the last of these
   */
  public void read(Kind kind, TypeFiles.Source source, Consumer<Row> rows) {
    MessageDigest hash = sha256();
    reading(
        source,
        () -> {
          Download download = open(source);
          try (InputStream in = new DigestInputStream(download.stream(), hash)) {
            if (download.size() > IN_MEMORY) {
              readFromDisk(kind, source, rows, in, hash);
              return true;
            }
            byte[] bytes = in.readAllBytes();
            check(source, hash);
            return decode(kind, bytes, rows);
          }
        });
  }

  /**
   * Hands on every row of a file; of a snapshot that is gone or damaged, those of its commits.
   *
   * @param from where the file was found
   */
  public void read(
      Kind kind, TypeFiles.Resolved from, TypeFiles.Source source, Consumer<Row> rows) {
    orCommits(kind, from, source, rows, handedOn -> read(kind, source, handedOn));
  }

  /**
   * Hands on every row of files, one after the other; those that come next are fetched meanwhile.
   *
   * @param rows is told of each row, and of the file it is from
   * @throws CorruptLedgerException as by {@link #read}, with all rows of the files before it handed
   *     on
   */
  public void readAll(
      Kind kind, TypeFiles.Resolved resolved, BiConsumer<TypeFiles.Source, Row> rows) {
    List<TypeFiles.Source> sources = resolved.sources();
    if (sources.size() < 2) {
      sources.forEach(source -> read(kind, resolved, source, row -> rows.accept(source, row)));
      return;
    }
    try (FilesAhead ahead = new FilesAhead(sources, this::small)) {
      for (TypeFiles.Source source : sources) {
        orCommits(
            kind,
            resolved,
            source,
            row -> rows.accept(source, row),
            handedOn -> {
              Optional<byte[]> bytes = ahead.next();
              if (bytes.isPresent()) {
                reading(source, () -> decode(kind, bytes.get(), handedOn));
              } else {
                read(kind, source, handedOn);
              }
            });
      }
    }
  }

  /**
   * Reads a file. A snapshot is only a help, like the index that names it: when it is gone, since
   * this reader found it long ago, or damaged, the files of its commits have the same rows.
   */
  private void orCommits(
      Kind kind,
      TypeFiles.Resolved from,
      TypeFiles.Source source,
      Consumer<Row> rows,
      Consumer<Consumer<Row>> reading) {
    boolean[] begun = {false};
    try {
      reading.accept(
          row -> {
            begun[0] = true;
            rows.accept(row);
          });
    } catch (CorruptLedgerException e) {
      if (begun[0] || !source.isSnapshot()) {
        throw e;
      }
      LOG.warn("{}; its commits are read instead", e.getMessage());
      from.commits().apply(source).forEach(commit -> read(kind, commit, rows));
    }
  }

  /** A file, after it was checked; empty when it is too large to wait in memory. */
  private Optional<byte[]> small(TypeFiles.Source source) {
    MessageDigest hash = sha256();
    return reading(
        source,
        () -> {
          Download download = open(source);
          try (InputStream in = new DigestInputStream(download.stream(), hash)) {
            if (download.size() > SMALL) {
              return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            check(source, hash);
            return Optional.of(bytes);
          }
        });
  }

  private Download open(TypeFiles.Source source) {
    return objects
        .store()
        .openStream(objects.key(source.path()))
        .orElseThrow(() -> objects.corrupt(source.path(), "is missing"));
  }

  private static boolean decode(Kind kind, byte[] bytes, Consumer<Row> rows) {
    try (RowReader reader = RowReader.open(kind, bytes)) {
      reader.forEachRemaining(rows);
      return true;
    }
  }

  private <T> T reading(TypeFiles.Source source, Reading<T> work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "reading " + source.path() + " in " + objects.location() + " broke off", e);
    } catch (TidemarkException e) {
      throw e.code().equals("corrupt") && !(e instanceof CorruptLedgerException)
          ? objects.corrupt(source.path(), "can't be read: " + e.getMessage())
          : e;
    }
  }

  @FunctionalInterface
  private interface Reading<T> {
    T run() throws IOException;
  }

  private void readFromDisk(
      Kind kind, TypeFiles.Source source, Consumer<Row> rows, InputStream in, MessageDigest hash)
      throws IOException {
    try (ScratchFile copy = new ScratchFile()) {
      try (OutputStream out = new BufferedOutputStream(copy.append(), 1 << 16)) {
        in.transferTo(out);
      }
      check(source, hash);
      try (RowReader reader = RowReader.open(kind, copy.channel())) {
        reader.forEachRemaining(rows);
      }
    }
  }

  private void check(TypeFiles.Source source, MessageDigest hash) {
    String found = HexFormat.of().formatHex(hash.digest());
    if (source.sha256().isPresent() && !source.sha256().get().equals(found)) {
      throw objects.corrupt(
          source.path(),
          "isn't what its commit wrote: its SHA-256 is "
              + found
              + ", the manifest says "
              + source.sha256().get());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
