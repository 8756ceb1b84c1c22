// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Where rows come from: the directory of an export, a file, or a stream. */
public interface ImportInput {

  /** Of a file, or of a directory: every file of rows in it, and its schemas if it has any. */
  static ImportInput of(Path path) {
    return Files.isDirectory(path) ? new Directory(path) : new One(path);
  }

  /**
   * Of a stream, which the caller closes.
   *
   * @param name what it is called in messages
   */
  static ImportInput of(InputStream stream, String name) {
    return of(stream, name, JsonRecords.LONGEST);
  }

  /** The same, where no record is longer than so many characters. */
  static ImportInput of(InputStream stream, String name, int longest) {
    return new Streamed(stream, name, longest);
  }

  /** Hands on every record. */
  void forEach(Consumer<TextRecord> records);

  /** The schemas that come with the rows; none when they don't say. */
  List<TypeSchema> schemas();

  /** As an export leaves it. */
  record Directory(Path path) implements ImportInput {

    @Override
    public void forEach(Consumer<TextRecord> records) {
      List<Path> files;
      try (Stream<Path> found = Files.list(path)) {
        files = found.filter(file -> file.toString().endsWith(Export.ROWS)).sorted().toList();
      } catch (IOException e) {
        throw TransferException.reading(path.toString(), e);
      }
      if (files.isEmpty()) {
        throw new TransferException(
            "there is no *" + Export.ROWS + " in " + path + "; name a directory that has some",
            null);
      }
      files.forEach(file -> new One(file).forEach(records));
    }

    @Override
    public List<TypeSchema> schemas() {
      Path file = path.resolve(Export.SCHEMAS);
      try {
        return Files.exists(file) ? DeclaredSchema.parse(Files.readString(file)) : List.of();
      } catch (IOException e) {
        throw TransferException.reading(file.toString(), e);
      }
    }
  }

  /** One file. */
  record One(Path file) implements ImportInput {
    @Override
    public void forEach(Consumer<TextRecord> records) {
      try (InputStream in = Files.newInputStream(file)) {
        JsonRecords.read(in, file.toString(), records);
      } catch (IOException e) {
        throw TransferException.reading(file.toString(), e);
      }
    }

    @Override
    public List<TypeSchema> schemas() {
      return List.of();
    }
  }

  /** One stream. */
  record Streamed(InputStream stream, String name, int longest) implements ImportInput {
    @Override
    public void forEach(Consumer<TextRecord> records) {
      JsonRecords.read(stream, name, longest, records);
    }

    @Override
    public List<TypeSchema> schemas() {
      return List.of();
    }
  }
}
