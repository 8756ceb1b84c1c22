// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.DataFileReader;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore.Download;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.internal.hash.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalLong;

/** Verifier that compares a Parquet file with what the manifest or the index says of it. */
final class FileVerifier {

  private static final String ABSENT = "no such object";

  private final LedgerObjects objects;
  private final VerificationDepth depth;
  private final long largest;

  /**
   * Creates a verifier of files of a ledger.
   *
   * @param largest how many bytes a file may have to be read; of larger ones the size is compared
   */
  FileVerifier(LedgerObjects objects, VerificationDepth depth, long largest) {
    this.objects = objects;
    this.depth = depth;
    this.largest = largest;
  }

  /** A file and what it has to be. */
  record Expected(
      TypeId type,
      BranchName branch,
      long min,
      long max,
      String path,
      OptionalLong rows,
      OptionalLong size,
      Optional<String> sha256) {

    static Expected of(BranchName branch, long commitId, DataFile file) {
      return new Expected(
          file.type(),
          branch,
          commitId,
          commitId,
          file.path(),
          OptionalLong.of(file.rowCount()),
          file.sizeBytes(),
          file.sha256());
    }

    static Expected of(BranchName branch, TypeId type, Entry snapshot) {
      return new Expected(
          type,
          branch,
          snapshot.min(),
          snapshot.max(),
          snapshot.path(),
          snapshot.rowCount(),
          snapshot.sizeBytes(),
          snapshot.sha256());
    }
  }

  /** Result for one file: how many bytes were read, and the damage if there is one. */
  record Verified(long bytes, Optional<ObjectDamage> damage) {}

  Verified verify(Expected file) {
    try {
      return depth == VerificationDepth.CONTENT ? content(file) : existence(file);
    } catch (InvalidKeyException e) {
      String found = String.valueOf(e.getMessage());
      return new Verified(
          0, damage(ObjectDamage.DamageKind.UNREADABLE, file, "the path of a file", found));
    }
  }

  private Verified existence(Expected file) {
    Optional<ObjectInfo> info = objects.store().head(objects.key(file.path()));
    return new Verified(0, info.isEmpty() ? missing(file) : size(file, info.get().size()));
  }

  private Verified content(Expected file) {
    Optional<Download> there = objects.store().openStream(objects.key(file.path()));
    if (there.isEmpty()) {
      return new Verified(0, missing(file));
    }
    long size = there.get().size();
    try (Download download = there.get()) {
      Optional<ObjectDamage> wrongSize = size(file, size);
      if (wrongSize.isPresent() || size > largest) {
        return new Verified(0, wrongSize);
      }
      if (file.sha256().isPresent()) {
        return new Verified(size, hash(file, download.stream()));
      }
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "reading " + objects.key(file.path()) + " broke off; run the verification again", e);
    }
    return new Verified(size, rows(file));
  }

  private Optional<ObjectDamage> missing(Expected file) {
    String expected = file.size().isPresent() ? bytes(file.size().getAsLong()) : "a Parquet file";
    return damage(ObjectDamage.DamageKind.MISSING, file, expected, ABSENT);
  }

  private static Optional<ObjectDamage> noDamage() {
    return Optional.empty();
  }

  private Optional<ObjectDamage> size(Expected file, long size) {
    return file.size().isEmpty() || file.size().getAsLong() == size
        ? noDamage()
        : damage(
            ObjectDamage.DamageKind.WRONG_SIZE, file, bytes(file.size().getAsLong()), bytes(size));
  }

  private static String bytes(long size) {
    return size + " bytes";
  }

  private Optional<ObjectDamage> hash(Expected file, InputStream stream) throws IOException {
    Sha256 hash = new Sha256();
    try (InputStream in = hash.reading(stream)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    String found = hash.hex();
    String expected = file.sha256().orElseThrow();
    return found.equals(expected)
        ? noDamage()
        : damage(
            ObjectDamage.DamageKind.WRONG_HASH, file, "SHA-256 " + expected, "SHA-256 " + found);
  }

  /** Verifies row by row a file whose writer stored no hash. */
  private Optional<ObjectDamage> rows(Expected file) {
    long[] rows = {0};
    try {
      new DataFileReader(objects)
          .read(
              file.type().kind(),
              new Source(
                  file.min(), file.max(), file.path(), Optional.empty(), OptionalLong.empty()),
              row -> rows[0]++);
    } catch (CorruptLedgerException e) {
      return damage(
          ObjectDamage.DamageKind.UNREADABLE,
          file,
          "a Parquet file",
          String.valueOf(e.getMessage()));
    }
    return file.rows().isEmpty() || file.rows().getAsLong() == rows[0]
        ? noDamage()
        : damage(
            ObjectDamage.DamageKind.WRONG_ROWS,
            file,
            file.rows().getAsLong() + " rows",
            rows[0] + " rows");
  }

  private Optional<ObjectDamage> damage(
      ObjectDamage.DamageKind damageKind, Expected file, String expected, String found) {
    return Optional.of(
        new ObjectDamage(
            damageKind, file.branch(), file.min(), objects.key(file.path()), expected, found));
  }
}
