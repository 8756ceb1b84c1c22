// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows to be written, as JSON text of any length: a row in each line, or one array of rows. They
 * are read as they are needed and never kept whole in memory.
 *
 * @param parts texts that follow each other; each is whole lines or an array
 * @param documents rows that are parsed already, which follow the texts
 * @param longest maximum number of characters of a row
 */
public record RowInput(List<Part> parts, List<JsonNode> documents, int longest) {

  /** Standard maximum number of characters of a row. */
  public static final int LONGEST = 64 << 20;

  /** Name in messages of rows that are in no file. */
  public static final String ROWS = "rows";

  /**
   * Text with rows.
   *
   * @param name name of the text in messages, such as a file's
   * @param source opens the text
   * @param repeatable whether it can be opened again and is the same then; a file can, a pipe can't
   */
  public record Part(String name, Source source, boolean repeatable) {}

  /** Opens a text. The caller closes it. */
  @FunctionalInterface
  public interface Source {
    InputStream open() throws IOException;
  }

  public RowInput {
    parts = List.copyOf(parts);
    documents = List.copyOf(documents);
  }

  /** Returns the rows of files, one after the other. */
  public static RowInput of(List<Path> files) {
    return new RowInput(
        files.stream()
            .map(file -> new Part(file.toString(), () -> Files.newInputStream(file), true))
            .toList(),
        List.of(),
        LONGEST);
  }

  /** Returns the rows of one file. */
  public static RowInput of(Path file) {
    return of(List.of(file));
  }

  /** Returns the rows of a text. */
  public static RowInput of(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new RowInput(
        List.of(new Part(ROWS, () -> new ByteArrayInputStream(bytes), true)), List.of(), LONGEST);
  }

  /**
   * Returns the rows of a stream, which can be read once and which the caller closes.
   *
   * @param name name of the stream in messages
   */
  public static RowInput of(InputStream stream, String name) {
    return new RowInput(List.of(new Part(name, () -> stream, false)), List.of(), LONGEST);
  }

  /** Returns rows that are parsed already. */
  public static RowInput ofDocuments(List<JsonNode> rows) {
    return new RowInput(List.of(), rows, LONGEST);
  }

  /** Returns all rows as texts. */
  public List<Part> texts() {
    if (documents.isEmpty()) {
      return parts;
    }
    List<Part> all = new ArrayList<>(parts);
    String lines = documents.stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
    all.addAll(of(lines).parts);
    return all;
  }

  /** Returns these rows with another maximum length of a row. */
  public RowInput withMaxRowLength(int characters) {
    return new RowInput(parts, documents, characters);
  }

  /** Returns whether all of it can be read again. */
  public boolean repeatable() {
    return parts.stream().allMatch(Part::repeatable);
  }
}
