// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.objects.JsonErrors;
import io.tidemark.objects.SafeDecimalNodeFactory;
import io.tidemark.objects.internal.json.ExactJsonReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Documents as bytes, numbers of any length kept; and reading fields without surprises. */
public final class DocumentJson {

  /** A payload may be nested as deep as its own parser allows, and lies some levels deeper here. */
  private static final int DEEPEST = 1100;

  private static final JsonNodeFactory NODES = new SafeDecimalNodeFactory();

  private static final ExactJsonReader READER =
      new ExactJsonReader(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build(), NODES);

  /** The writer of what {@link FastDocumentPrinter} doesn't write; not made before it is needed. */
  private static final class PrettyWriter {
    static final ObjectWriter WRITER =
        JsonMapper.builder(
                JsonFactory.builder()
                    .streamWriteConstraints(
                        StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
                    .build())
            .build()
            .writer(printer());

    private PrettyWriter() {}
  }

  private DocumentJson() {}

  /** Returns an empty object. */
  public static ObjectNode object() {
    return NODES.objectNode();
  }

  /** Reads a document, which must be one object. */
  static ObjectNode parse(String key, byte[] bytes) {
    JsonNode node;
    try {
      node = READER.read(bytes);
    } catch (IOException | NumberFormatException e) { // the parser lets the latter through
      throw corrupt(key, "is no JSON: " + JsonErrors.reason(e));
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw corrupt(key, "isn't a JSON object");
  }

  /** Writes a document: two spaces a level, a line break at the end, the same bytes each time. */
  static byte[] print(ObjectNode node) {
    return FastDocumentPrinter.print(node).orElseGet(() -> printAny(node));
  }

  /** Prints any JSON object as the bytes of a document. */
  static byte[] printAny(ObjectNode node) {
    try {
      byte[] text = PrettyWriter.WRITER.writeValueAsBytes(node);
      byte[] line = Arrays.copyOf(text, text.length + 1);
      line[text.length] = '\n';
      return line;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON can't be written", e);
    }
  }

  /** Returns a whole number; empty when the field isn't there or null. */
  public static Optional<Long> number(String key, JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw corrupt(key, "has a " + field + " that is no number from 0 to 2^63 - 1");
    }
    return Optional.of(value.longValue());
  }

  /** Text that isn't empty; empty when the field isn't there or null. */
  public static Optional<String> text(String key, JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual() || value.textValue().isEmpty()) {
      throw corrupt(key, "has a " + field + " that is no text");
    }
    return Optional.of(value.textValue());
  }

  /**
   * Returns the error of a document that can't be read, with the address that its key stands for.
   */
  public static CorruptRecordException corrupt(String key, String problem) {
    return new CorruptRecordException(
        key
            + RecordKey.parse(key).map(found -> " of " + found.address()).orElse("")
            + " "
            + problem
            + "; restore it from a copy, or delete it to give up the record");
  }

  private static DefaultPrettyPrinter printer() {
    Separators separators =
        Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
            .withArrayValueSpacing(Separators.Spacing.AFTER)
            .withObjectEmptySeparator("")
            .withArrayEmptySeparator("");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators);
    printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
    printer.indentArraysWith(DefaultPrettyPrinter.NopIndenter.instance);
    return printer;
  }
}
