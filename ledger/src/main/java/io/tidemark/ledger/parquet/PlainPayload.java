// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import io.tidemark.ledger.schema.FieldType.Scalar;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Takes the values of the typed columns out of payloads as nearly all are: JSON objects of single
 * values without spaces, whose texts are ASCII without escapes. A JSON parser would take several
 * times as long. Where a payload turns out to be of another kind this stops, and a parser does the
 * rest; so whatever is taken for a value here must be what a parser would take.
 */
final class PlainPayload {

  private static final int LONGEST_NUMBER = 100;
  private static final int EXACT_DIGITS = 15;
  private static final int LONG_DIGITS = 18;
  private static final double[] POWERS = new double[EXACT_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10; // exact, up to 10^22
    }
  }

  private final byte[][] names;
  private final Scalar[] types;
  private final ColumnEncoder[] writers;
  private final boolean[] written;
  private byte[] json = {};
  private int at;
  private int end;

  /**
   * For some columns.
   *
   * @param written for each column whether it got its value, told to the caller
   */
  PlainPayload(
      List<String> names, List<Scalar> types, List<ColumnEncoder> writers, boolean[] written) {
    this.names =
        names.stream()
            .map(name -> ("\"" + name + "\":").getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);
    this.types = types.toArray(Scalar[]::new);
    this.writers = writers.toArray(ColumnEncoder[]::new);
    this.written = written;
  }

  /** Whether all was read; if not, what was read is right. */
  boolean write(byte[] payload, int from, int to) {
    json = payload;
    at = from;
    end = to;
    if (!skip('{')) {
      return false;
    }
    if (skip('}')) {
      return true;
    }
    int next = 0;
    while (true) {
      int column = column(next);
      next = column < 0 ? next : column + 1;
      if (column < 0 && !skipName()) {
        return false;
      }
      if (!value(column)) {
        return false;
      }
      if (skip('}')) {
        return true;
      }
      if (!skip(',')) {
        return false;
      }
    }
  }

  private boolean skip(char c) {
    if (at < end && json[at] == c) {
      at++;
      return true;
    }
    return false;
  }

  /** The column of the name that is next, which is then behind us; negative if it has none. */
  private int column(int first) {
    for (int i = 0; i < names.length; i++) {
      int column = first + i < names.length ? first + i : first + i - names.length;
      byte[] name = names[column];
      if (end - at >= name.length
          && Arrays.equals(name, 0, name.length, json, at, at + name.length)) {
        at += name.length;
        return column;
      }
    }
    return -1;
  }

  private boolean skipName() {
    return endOfText() >= 0 && skip(':');
  }

  /** Moves behind a text; returns where it ends, negative if it isn't plain. */
  private int endOfText() {
    if (!skip('"')) {
      return -1;
    }
    int i = at;
    while (i < end) {
      byte c = json[i];
      if (c == '"') {
        at = i + 1;
        return i;
      }
      if (c < ' ' || c == '\\') { // what is beyond ASCII is negative
        return -1;
      }
      i++;
    }
    return -1;
  }

  /** Whether a value could be read, and was written if it has a column and fits it. */
  private boolean value(int column) {
    if (at >= end) {
      return false;
    }
    boolean free = column >= 0 && !written[column];
    switch (json[at]) {
      case '"' -> {
        int start = at + 1;
        int last = endOfText();
        if (last < 0 || !isDelimited()) {
          return false;
        }
        if (free) {
          written[column] = text(start, last, types[column], writers[column]);
        }
        return true;
      }
      case 't' -> {
        return word("true") && (!free || flag(true, column));
      }
      case 'f' -> {
        return word("false") && (!free || flag(false, column));
      }
      case 'n' -> {
        return word("null");
      }
      case '{', '[' -> {
        return false;
      }
      default -> {
        return number(column, free);
      }
    }
  }

  private boolean isDelimited() {
    return at < end && (json[at] == ',' || json[at] == '}');
  }

  private boolean word(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (!skip(word.charAt(i))) {
        return false;
      }
    }
    return isDelimited();
  }

  private boolean flag(boolean value, int column) {
    if (types[column] == Scalar.BOOLEAN) {
      writers[column].flag(value);
      written[column] = true;
    }
    return true;
  }

  private boolean text(int from, int to, Scalar type, ColumnEncoder writer) {
    switch (type) {
      case STRING -> {
        writer.text(json, from, to);
        return true;
      }
      case INSTANT -> {
        String text = new String(json, from, to - from, StandardCharsets.ISO_8859_1);
        return TypedValues.writeText(text, type, writer);
      }
      default -> {
        return false;
      }
    }
  }

  private boolean number(int column, boolean free) {
    int start = at;
    boolean negative = skip('-');
    int first = at;
    long digits = 0;
    int point = -1;
    while (at < end) {
      byte c = json[at];
      if (c >= '0' && c <= '9') {
        digits = digits * 10 + c - '0'; // whether it fits is looked at below
      } else if (c == '.' && point < 0) {
        point = at;
      } else {
        break;
      }
      at++;
    }
    int whole = (point < 0 ? at : point) - first;
    boolean odd = whole == 0 || (json[first] == '0' && whole > 1) || point == at - 1;
    if (odd || at - start > LONGEST_NUMBER || !isDelimited()) {
      return false; // with an exponent among others
    }
    if (free) {
      int fraction = point < 0 ? 0 : at - point - 1;
      Digits read = new Digits(negative ? -digits : digits, whole, fraction, negative);
      written[column] = write(read, start, types[column], writers[column]);
    }
    return true;
  }

  /** A number without its point. */
  private record Digits(long digits, int whole, int fraction, boolean negative) {}

  private boolean write(Digits number, int start, Scalar type, ColumnEncoder writer) {
    int count = number.whole() + number.fraction();
    switch (type) {
      case LONG -> {
        if (number.fraction() == 0 && number.whole() <= LONG_DIGITS) {
          writer.whole(number.digits());
          return true;
        }
        return TypedValues.writeExact(new BigDecimal(ascii(start)), type, writer);
      }
      case DOUBLE -> {
        // Both are exact as doubles, so their quotient is the double next to the number. A whole
        // number has no negative zero.
        double exact =
            Math.abs(number.digits()) / POWERS[Math.min(number.fraction(), EXACT_DIGITS)];
        double value =
            count <= EXACT_DIGITS
                ? (number.negative() ? -exact : exact)
                : Double.parseDouble(ascii(start));
        boolean wholeZero = value == 0 && number.fraction() == 0;
        writer.real(wholeZero ? 0.0 : value); // finite, having at most 100 digits
        return true;
      }
      case DECIMAL -> {
        return TypedValues.writeExact(new BigDecimal(ascii(start)), type, writer);
      }
      default -> {
        return false;
      }
    }
  }

  private String ascii(int start) {
    return new String(json, start, at - start, StandardCharsets.ISO_8859_1);
  }
}
