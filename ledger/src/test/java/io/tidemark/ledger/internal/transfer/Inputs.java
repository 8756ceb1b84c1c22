// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Inputs of imports in tests: streams, and directories that exports are written to. */
final class Inputs {

  private static final int LONGEST = 64 << 20;

  private Inputs() {}

  static void read(InputStream text, String name, Consumer<TextRecord> records) {
    JsonRecordReader.read(text, name, LONGEST, records);
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
    return DeclaredSchema.parse(Files.readString(directory.resolve("schema.json")));
  }

  /** Rows that were written of each type, as of a commit. */
  record Written(long commitId, Map<TypeId, Long> rows) {
    long total() {
      return rows.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Writes an export to a directory, as the services do. */
  static Written write(LedgerExport ledgerExport, Path directory) {
    Map<String, BufferedWriter> files = new HashMap<>();
    Map<String, Long> counts = new HashMap<>();
    Map<TypeId, Long> rows = new HashMap<>();
    List<String> schemas = new ArrayList<>();
    try {
      Files.createDirectories(directory);
      for (LedgerExport.Part part : ledgerExport.parts()) {
        files.put(end(part.type()), Files.newBufferedWriter(directory.resolve(part.file())));
        schemas.add(part.version().schemaJson());
      }
      ledgerExport.lines(
          line -> {
            String end = line.substring(line.lastIndexOf(",\"type_kind\""));
            write(line, Objects.requireNonNull(files.get(end)));
            counts.merge(end, 1L, Long::sum);
          });
      for (BufferedWriter file : files.values()) {
        file.close();
      }
      Files.writeString(directory.resolve("schema.json"), schemas.toString());
      ledgerExport
          .parts()
          .forEach(part -> rows.put(part.type(), counts.getOrDefault(end(part.type()), 0L)));
      return new Written(ledgerExport.commitId(), rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String end(TypeId type) {
    return ",\"type_kind\":\"%s\",\"type_name\":\"%s\"}"
        .formatted(type.kind().singular(), type.name());
  }

  private static void write(String line, BufferedWriter file) {
    try {
      file.write(line + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
