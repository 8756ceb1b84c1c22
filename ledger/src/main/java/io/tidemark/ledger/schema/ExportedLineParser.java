// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.objects.internal.json.CanonicalJsonBuffer;
import io.tidemark.objects.internal.json.UnescapedText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fast parser of lines of one type that are exactly as an export writes them, with every value in
 * canonical form. It takes their bytes as they are, at a fraction of the cost of building a tree
 * and writing it again. It rejects any other line and leaves it to {@link JsonFactCodec}, so each
 * line that it accepts must give the result of that codec.
 */
final class ExportedLineParser {

  private static final byte[] FIELDS = "{\"fields\":".getBytes(US_ASCII);
  private static final byte[] CLOSING = "}".getBytes(US_ASCII);
  private static final byte[] KEY = opening("key");
  private static final byte[] INSTANCE = opening("instance_key");
  private static final byte[] LEFT = opening("left_key");
  private static final byte[] RIGHT = opening("right_key");
  private static final int OTHER = -1;

  private final ValueCheck check;
  private final List<CanonicalFieldScanner> fields;
  private final int key;
  private final boolean hasInstance;
  private final byte[] tail;

  private ExportedLineParser(ValueCheck check, List<CanonicalFieldScanner> fields, int key) {
    this.check = check;
    this.fields = fields;
    this.key = key;
    this.hasInstance = check.schema().instanceKeyField().isPresent();
    TypeId type = check.schema().id();
    this.tail =
        ("\",\"type_kind\":\""
                + type.kind().singular()
                + "\",\"type_name\":\""
                + type.name()
                + "\"}")
            .getBytes(US_ASCII);
  }

  /** Returns the parser of a type, or empty if the type has composite values. */
  static Optional<ExportedLineParser> of(ValueCheck check) {
    TypeSchema schema = check.schema();
    String keyField = schema.identity() instanceof KeyField rule ? rule.name() : "";
    List<CanonicalFieldScanner> fields = new ArrayList<>();
    int key = -1;
    for (Map.Entry<String, Field> field : schema.payload().entrySet()) {
      FieldType type = field.getValue().type();
      if (!(type.notNull() instanceof Scalar)) {
        return Optional.empty();
      }
      key = field.getKey().equals(keyField) ? fields.size() : key;
      fields.add(new CanonicalFieldScanner(field.getKey(), type, fields.size()));
    }
    return fields.isEmpty()
        ? Optional.empty()
        : Optional.of(new ExportedLineParser(check, fields, key));
  }

  private static byte[] opening(String name) {
    return (",\"" + name + "\":\"").getBytes(US_ASCII);
  }

  /** Returns whether a line states this type, in the form of exports. */
  boolean isOf(byte[] line, int from, int to) {
    return to - tail.length > from && matchesAt(tail, line, to - tail.length, to);
  }

  /**
   * Reads a line of this type. Returns false, with any content in the fact, if the line is in
   * another form.
   */
  boolean read(byte[] line, int from, int to, FactBytes out) {
    if (!matchesAt(FIELDS, line, from, to)) {
      return false;
    }
    int start = from + FIELDS.length;
    CanonicalJsonBuffer payload = out.start(check.schema().id());
    int copied = start;
    int at = start;
    int keyFrom = 0;
    int keyTo = 0;
    for (int i = 0; i < fields.size(); i++) {
      CanonicalFieldScanner field = fields.get(i);
      int value = field.behindOpening(line, at, to);
      at = value < 0 ? OTHER : field.end(line, value, to);
      if (at < 0) {
        return false;
      }
      if (field.isPointZero(line, at)) {
        payload.add(line, copied, at);
        payload.markPointZero();
        copied = at;
      }
      if (i == key) {
        boolean quoted = line[value] == '"';
        keyFrom = quoted ? value + 1 : value;
        keyTo = quoted ? at - 1 : at;
      }
    }
    if (!matchesAt(CLOSING, line, at, to) || !check.isShort(at + 1 - start)) {
      return false;
    }
    payload.add(line, copied, at + 1);
    int end = to - tail.length;
    return key < 0
        ? relation(line, at + 1, end, out)
        : entity(line, at + 1, end, keyFrom, keyTo, out);
  }

  private static boolean entity(
      byte[] line, int at, int end, int keyFrom, int keyTo, FactBytes out) {
    int from = at + KEY.length;
    if (!matchesAt(KEY, line, at, end)
        || isBlank(line, from, end)
        || !Arrays.equals(line, from, end, line, keyFrom, keyTo)) {
      return false;
    }
    out.part(line, from, end);
    return true;
  }

  private boolean relation(byte[] line, int start, int end, FactBytes out) {
    int at = start;
    int instance = 0;
    int instanceEnd = 0;
    if (hasInstance) {
      instance = at + INSTANCE.length;
      instanceEnd = behindKey(INSTANCE, line, at, end);
      at = instanceEnd + 1;
    }
    int leftEnd = instanceEnd < 0 ? OTHER : behindKey(LEFT, line, at, end);
    if (leftEnd < 0 || !matchesAt(RIGHT, line, leftEnd + 1, end)) {
      return false;
    }
    int right = leftEnd + 1 + RIGHT.length;
    if (UnescapedText.end(line, right, end) < end || isBlank(line, right, end)) {
      return false;
    }
    out.part(line, at + LEFT.length, leftEnd);
    out.part(line, right, end);
    out.part(line, instance, instanceEnd);
    return true;
  }

  /**
   * Returns the position of the closing quote of a key that isn't blank, or a negative number if
   * there is no such key.
   */
  private static int behindKey(byte[] opening, byte[] line, int at, int end) {
    if (!matchesAt(opening, line, at, end)) {
      return OTHER;
    }
    int from = at + opening.length;
    int quote = UnescapedText.end(line, from, end);
    return quote < end && line[quote] == '"' && !isBlank(line, from, quote) ? quote : OTHER;
  }

  /** Returns whether plain text has nothing but spaces, and so is no key. */
  private static boolean isBlank(byte[] line, int from, int to) {
    for (int i = from; i < to; i++) {
      if (line[i] != ' ') {
        return false;
      }
    }
    return true;
  }

  static boolean matchesAt(byte[] wanted, byte[] line, int at, int end) {
    return at >= 0
        && end - at >= wanted.length
        && Arrays.equals(wanted, 0, wanted.length, line, at, at + wanted.length);
  }
}
