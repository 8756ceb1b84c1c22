// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.ExportHeader.ExportedType;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.files.NewFile;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** Files of an export, one for each type, which are in place once all of them are whole. */
final class ExportFiles implements AutoCloseable {

  private static final String SCHEMAS = "schema.json";
  private static final int STEP = 1000;

  private final Path directory;
  private final ExportHeader head;
  private final LongConsumer progress;
  private final List<NewFile> files = new ArrayList<>();
  private final SortedMap<String, Long> rows = new TreeMap<>();
  private long total;

  /** Number of types whose files were begun; the last of them is being written. */
  private int begun;

  private Writer out = Writer.nullWriter();

  /** End of each line of the type that is being written; before the first, of no line. */
  private String end = "\n";

  private long count;

  private ExportFiles(Path directory, ExportHeader head, LongConsumer progress) {
    this.directory = directory;
    this.head = head;
    this.progress = progress;
  }

  /** Writes lines to a directory. */
  static ExportReport write(
      ResultStream<ExportHeader, String> lines, Path directory, LongConsumer progress) {
    ExportHeader head = lines.header();
    try (ExportFiles files = new ExportFiles(directory, head, progress)) {
      Files.createDirectories(directory);
      lines.forEach(files::add);
      files.finish();
      return new ExportReport(head.commitId(), files.rows, head.schemaVersions());
    } catch (IOException e) {
      throw failure(directory, e);
    }
  }

  private static TidemarkException failure(Path directory, IOException e) {
    return new TidemarkException(
        ErrorCode.TRANSFER, "can't write " + directory + ": " + FileErrors.reason(e), e);
  }

  private void add(String line) {
    try {
      while (!line.endsWith(end)) {
        begin();
      }
      out.write(line);
      out.write('\n');
    } catch (IOException e) {
      throw failure(directory, e);
    }
    count++;
    if (++total % STEP == 0) {
      progress.accept(total);
    }
  }

  /** Ends the file of a type and begins that of the next. */
  private void begin() throws IOException {
    endOne();
    if (begun == head.types().size()) {
      throw new IllegalStateException("a row is of a type that the export doesn't name");
    }
    ExportedType type = head.types().get(begun++);
    out = Files.newBufferedWriter(file(type.file()));
    end = "," + CanonicalJson.write(named(type)).substring(1);
  }

  private static ArrayNode schemas(List<ExportedType> types) {
    ArrayNode schemas = JsonNodeFactory.instance.arrayNode();
    types.stream().map(ExportedType::schemaJson).forEach(schemas::add);
    return schemas;
  }

  /** Returns the last two members of each row of a type. */
  private static JsonNode named(ExportedType type) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type_kind", type.typeKind())
        .put("type_name", type.typeName());
  }

  private void endOne() throws IOException {
    out.close();
    if (begun > 0) {
      ExportedType type = head.types().get(begun - 1);
      rows.put(type.typeKind() + ":" + type.typeName(), count);
    }
    count = 0;
  }

  /** Begins a file and returns the path at which it is written. */
  private Path file(String name) {
    Path place = directory.toAbsolutePath().normalize();
    Path path = place.resolve(name).normalize();
    if (!place.equals(path.getParent())) {
      throw new IllegalStateException("the export names a file outside of its directory: " + name);
    }
    NewFile file = NewFile.replacing(path);
    files.add(file);
    return file.part();
  }

  private void finish() throws IOException {
    while (begun < head.types().size()) {
      begin();
    }
    endOne();
    Files.writeString(file(SCHEMAS), CanonicalJson.write(schemas(head.types())) + "\n");
    for (NewFile file : files) {
      file.finish();
    }
    progress.accept(total);
  }

  @Override
  public void close() throws IOException {
    out.close();
    for (NewFile file : files) {
      file.close();
    }
  }
}
