// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.objects.Decimals;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * JSON text with every number in one form, so that two texts are equal exactly when they say the
 * same: {@code 1}, {@code 1.0} and {@code 1e0} are one value, {@code true} is none of them.
 *
 * <p>Works on the text because it is done for every stored row of a type that is written to; a tree
 * would cost several times as much. What isn't {@link CanonicalJson canonical} is made so first.
 */
public final class NormalizedJson {

  /** Longer whole numbers may be written with an exponent elsewhere; see {@link #normal}. */
  private static final int LONGEST_PLAIN = 300;

  private static final int REWRITTEN = -1;

  private NormalizedJson() {}

  /** Receiver of the value form, piece by piece. */
  @FunctionalInterface
  public interface Target {
    void add(byte[] bytes, int from, int to);
  }

  /**
   * Returns the value form of a JSON text.
   *
   * @throws IOException when it isn't JSON
   */
  public static String of(String json) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(json.length());
    // Half of a surrogate pair has no UTF-8; canonical text has it escaped.
    boolean ascii = json.chars().allMatch(c -> c <= '~');
    byte[] bytes = (ascii ? json : CanonicalJson.write(CanonicalJson.parse(json))).getBytes(UTF_8);
    feed(bytes, 0, bytes.length, (some, from, to) -> out.write(some, from, to - from));
    return out.toString(UTF_8);
  }

  /**
   * Hands on the value form of a JSON text in UTF-8.
   *
   * @throws IOException when it isn't JSON
   */
  public static void feed(byte[] json, int from, int to, Target target) throws IOException {
    try {
      if (CanonicalJsonCheck.isCanonical(json, from, to)) {
        rewrite(json, from, to, target);
      } else {
        String text = new String(json, from, to - from, UTF_8);
        byte[] canonical = CanonicalJson.write(CanonicalJson.parse(text)).getBytes(UTF_8);
        rewrite(canonical, 0, canonical.length, target);
      }
    } catch (NumberFormatException e) {
      throw new IOException("no JSON: a number of it can't be read", e);
    }
  }

  /** Feeds the value form of JSON that is known to be canonical to a target. */
  static void feedCanonical(byte[] json, int from, int to, Target target) {
    rewrite(json, from, to, target);
  }

  private static void rewrite(byte[] json, int from, int to, Target target) {
    int copied = from;
    int i = from;
    while (i < to) {
      byte c = json[i];
      if (c == '"') {
        i = behindText(json, i + 1, to);
      } else if (c == '-' || isDigit(c)) {
        int end = endOfNumber(json, i, to);
        int kept = kept(json, i, end);
        if (kept == REWRITTEN) {
          target.add(json, copied, i);
          byte[] normal = normal(new String(json, i, end - i, US_ASCII)).getBytes(US_ASCII);
          target.add(normal, 0, normal.length);
          copied = end;
        } else if (kept != end) {
          target.add(json, copied, kept);
          copied = end;
        }
        i = end;
      } else {
        i++;
      }
    }
    target.add(json, copied, to);
  }

  private static int behindText(byte[] json, int start, int limit) {
    int i = start;
    while (i < limit && json[i] != '"') {
      i += json[i] == '\\' ? 2 : 1;
    }
    return Math.min(i + 1, limit);
  }

  private static int endOfNumber(byte[] json, int start, int limit) {
    int end = start + 1;
    while (end < limit && isPartOfNumber(json[end])) {
      end++;
    }
    return end;
  }

  /**
   * Up to where a number is in its one form, when all that may be wrong with it are zeros at its
   * end; {@link #REWRITTEN} when it takes a closer look. Most numbers are of this kind, and the
   * closer look would cost more than all the rest.
   */
  private static int kept(byte[] json, int start, int end) {
    int first = json[start] == '-' ? start + 1 : start;
    int point = behindDigits(json, first, end);
    boolean odd = first == point || end - start > LONGEST_PLAIN;
    boolean zero = !odd && json[first] == '0';
    if (odd || (zero && (first > start || point > first + 1))) {
      return REWRITTEN;
    }
    if (point == end) {
      return end;
    }
    if (json[point] != '.' || behindDigits(json, point + 1, end) < end) {
      return REWRITTEN;
    }
    if (zero && (point + 1 == end || json[point + 1] == '0')) {
      return REWRITTEN; // zero, or so small that it may have an exponent
    }
    int kept = end;
    while (json[kept - 1] == '0') {
      kept--;
    }
    return kept == point + 1 ? point : kept;
  }

  private static int behindDigits(byte[] json, int start, int end) {
    int i = start;
    while (i < end && isDigit(json[i])) {
      i++;
    }
    return i;
  }

  private static String normal(String number) {
    BigDecimal value = new BigDecimal(number);
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = Decimals.stripped(value);
    // A whole number stays one, unless an exponent makes it too long to write out.
    boolean whole = stripped.scale() <= 0 && stripped.scale() > -400;
    return whole ? stripped.toBigInteger().toString() : stripped.toString();
  }

  private static boolean isPartOfNumber(byte c) {
    return isDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }
}
