// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.UnescapedText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Reader of the values of typed columns in payloads as nearly all are: JSON objects of single
 * values without spaces, whose texts are ASCII without escapes. A JSON parser would take several
 * times as long. Where a payload turns out to be of another kind this stops, and a parser does the
 * rest; so whatever is taken for a value here must be what a parser would take.
 */
final class SimplePayloadReader {

  private static final int LONGEST_NUMBER = 100;
  private static final int EXACT_DIGITS = 15;
  private static final int LONG_DIGITS = 18;
  private static final long EXACT = 1L << 53;
  private static final int OTHER = -1;
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
  private int end;

  /**
   * Creates a reader for some columns.
   *
   * @param written for each column whether it got its value, told to the caller
   */
  SimplePayloadReader(
      List<String> names, List<Scalar> types, List<ColumnEncoder> writers, boolean[] written) {
    this.names =
        names.stream()
            .map(name -> ("\"" + name + "\":").getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);
    this.types = types.toArray(Scalar[]::new);
    this.writers = writers.toArray(ColumnEncoder[]::new);
    this.written = written;
  }

  /** Writes the values of a payload, and returns whether all was read; if not, those are right. */
  boolean write(byte[] payload, int from, int to) {
    json = payload;
    end = to;
    if (!is(from, '{')) {
      return false;
    }
    int at = from + 1;
    if (is(at, '}')) {
      return true;
    }
    int next = 0;
    while (true) {
      int column = column(at, next);
      if (column < 0) {
        at = behindName(at);
      } else {
        at += names[column].length;
        next = column + 1;
      }
      at = at < 0 ? OTHER : value(column, at);
      if (at < 0) {
        return false;
      }
      if (json[at++] == '}') {
        return true;
      }
    }
  }

  private boolean is(int at, char c) {
    return at < end && json[at] == c;
  }

  /** Returns the column of the name that begins there; negative if it has none. */
  private int column(int at, int first) {
    for (int i = 0; i < names.length; i++) {
      int column = first + i < names.length ? first + i : first + i - names.length;
      byte[] name = names[column];
      if (end - at >= name.length
          && Arrays.equals(name, 0, name.length, json, at, at + name.length)) {
        return column;
      }
    }
    return -1;
  }

  private int behindName(int at) {
    if (!is(at, '"')) {
      return OTHER;
    }
    int last = UnescapedText.end(json, at + 1, end);
    return is(last, '"') && is(last + 1, ':') ? last + 2 : OTHER;
  }

  /**
   * Returns where the delimiter behind a value is, which was written if it has a column and fits
   * it; {@link #OTHER} if it couldn't be read.
   */
  private int value(int column, int at) {
    if (at >= end) {
      return OTHER;
    }
    boolean free = column >= 0 && !written[column];
    switch (json[at]) {
      case '"' -> {
        int last = UnescapedText.end(json, at + 1, end);
        if (!is(last, '"') || !isDelimited(last + 1)) {
          return OTHER;
        }
        if (free) {
          written[column] = text(at + 1, last, types[column], writers[column]);
        }
        return last + 1;
      }
      case 't' -> {
        return flag("true", at, free ? column : -1);
      }
      case 'f' -> {
        return flag("false", at, free ? column : -1);
      }
      case 'n' -> {
        return word("null", at);
      }
      case '{', '[' -> {
        return OTHER;
      }
      default -> {
        return number(free ? column : -1, at);
      }
    }
  }

  private boolean isDelimited(int at) {
    return at < end && (json[at] == ',' || json[at] == '}');
  }

  private int word(String word, int at) {
    for (int i = 0; i < word.length(); i++) {
      if (!is(at + i, word.charAt(i))) {
        return OTHER;
      }
    }
    return isDelimited(at + word.length()) ? at + word.length() : OTHER;
  }

  private int flag(String word, int at, int column) {
    int behind = word(word, at);
    if (behind >= 0 && column >= 0 && types[column] == Scalar.BOOLEAN) {
      writers[column].flag(word.length() == 4);
      written[column] = true;
    }
    return behind;
  }

  private boolean text(int from, int to, Scalar type, ColumnEncoder writer) {
    switch (type) {
      case STRING -> {
        writer.text(json, from, to);
        return true;
      }
      case INSTANT -> {
        String text = new String(json, from, to - from, StandardCharsets.ISO_8859_1);
        return TypedColumnWriter.writeText(text, type, writer);
      }
      default -> {
        return false;
      }
    }
  }

  private int number(int column, int start) {
    byte[] in = json;
    boolean negative = in[start] == '-';
    int first = negative ? start + 1 : start;
    int at = first;
    long digits = 0;
    int point = -1;
    for (; at < end; at++) {
      byte c = in[at];
      if (c >= '0' && c <= '9') {
        digits = digits * 10 + c - '0'; // whether it fits is looked at below
      } else if (c == '.' && point < 0) {
        point = at;
      } else {
        break;
      }
    }
    int whole = (point < 0 ? at : point) - first;
    boolean odd = whole == 0 || (in[first] == '0' && whole > 1) || point == at - 1;
    if (odd || at - start > LONGEST_NUMBER || !isDelimited(at)) {
      return OTHER; // such as a number with an exponent
    }
    if (column >= 0) {
      int fraction = point < 0 ? 0 : at - point - 1;
      boolean isFew = whole + fraction <= LONG_DIGITS && types[column] != Scalar.DECIMAL;
      written[column] =
          isFew
              ? few(negative ? -digits : digits, fraction, start, at, column)
              : many(fraction, start, at, column);
    }
    return at;
  }

  /** Writes a number that fits into a long without its point. */
  private boolean few(long digits, int fraction, int start, int to, int column) {
    if (types[column] == Scalar.LONG && fraction == 0) {
      writers[column].whole(digits);
      return true;
    }
    boolean exact = fraction <= EXACT_DIGITS && Math.abs(digits) < EXACT;
    if (types[column] == Scalar.DOUBLE && exact && digits != 0) {
      // Both are exact as doubles, so their quotient is the double next to the number.
      writers[column].real(digits / POWERS[fraction]);
      return true;
    }
    return many(fraction, start, to, column);
  }

  private boolean many(int fraction, int start, int to, int column) {
    String number = new String(json, start, to - start, StandardCharsets.ISO_8859_1);
    switch (types[column]) {
      case LONG, DECIMAL -> {
        return TypedColumnWriter.writeExact(new BigDecimal(number), types[column], writers[column]);
      }
      case DOUBLE -> {
        double value = Double.parseDouble(number); // finite, having at most 100 digits
        // A whole number has no negative zero.
        writers[column].real(value == 0 && fraction == 0 ? 0.0 : value);
        return true;
      }
      default -> {
        return false;
      }
    }
  }
}
