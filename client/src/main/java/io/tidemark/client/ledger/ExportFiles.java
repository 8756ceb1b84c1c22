// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.ExportHead.ExportedType;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** Files of an export, one for each type, each of which is in place once all of them are whole. */
final class ExportFiles implements AutoCloseable {

  private static final int STEP = 1000;

  private final Path directory;
  private final LongConsumer progress;
  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<String, BufferedWriter> open = new LinkedHashMap<>();
  private final SortedMap<String, Long> rows = new TreeMap<>();
  private long total;

  ExportFiles(Path directory, Iterable<ExportedType> types, LongConsumer progress)
      throws IOException {
    this.directory = directory;
    this.progress = progress;
    for (ExportedType type : types) {
      String id = type.typeKind() + ":" + type.typeName();
      names.put(id, type.file());
      rows.put(id, 0L);
      open.put(id, Files.newBufferedWriter(part(type.file())));
    }
  }

  private Path part(String name) {
    Path file = directory.resolve(name).normalize();
    if (!directory.normalize().equals(file.getParent())) {
      throw new IllegalStateException("the server names a file outside of the directory: " + name);
    }
    return file.resolveSibling(file.getFileName() + ".part");
  }

  void add(JsonNode row) {
    String type = row.path("type_kind").asText() + ":" + row.path("type_name").asText();
    BufferedWriter out = open.get(type);
    if (out == null) {
      throw new IllegalStateException("the server sent a row of a type that it didn't name");
    }
    try {
      out.write(CanonicalJson.write(row));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("can't write to " + directory, e);
    }
    rows.merge(type, 1L, Long::sum);
    if (++total % STEP == 0) {
      progress.accept(total);
    }
  }

  /** Puts the files in place. */
  void finish() throws IOException {
    for (BufferedWriter out : open.values()) {
      out.close();
    }
    for (String name : names.values()) {
      Files.move(
          part(name),
          directory.resolve(name),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
    }
    progress.accept(total);
  }

  SortedMap<String, Long> rows() {
    return rows;
  }

  static void writeWhole(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, text);
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    for (BufferedWriter out : open.values()) {
      out.close();
    }
    for (String name : names.values()) {
      Files.deleteIfExists(part(name));
    }
  }
}
