// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Inputs of imports in tests: streams, and directories of exports. */
final class Inputs {

  private static final int LONGEST = 64 << 20;

  private Inputs() {}

  static void read(InputStream text, String name, Consumer<TextRecord> records) {
    JsonRecords.read(text, name, LONGEST, records);
  }

  static ImportInput of(InputStream text, String name) {
    return records -> read(text, name, records);
  }

  /** Returns the rows of all files of an export. */
  static ImportInput ofExport(Path directory) {
    return records -> {
      try (Stream<Path> found = Files.list(directory)) {
        for (Path file :
            found.filter(each -> each.toString().endsWith(".jsonl")).sorted().toList()) {
          try (InputStream in = Files.newInputStream(file)) {
            read(in, file.toString(), records);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Returns the types of an export. */
  static List<TypeSchema> schemasOf(Path directory) throws IOException {
    return DeclaredSchema.parse(Files.readString(directory.resolve(Export.SCHEMAS)));
  }
}
