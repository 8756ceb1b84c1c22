// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

/** Rules for the texts that PostgreSQL can store. */
public final class PostgresText {

  private PostgresText() {}

  /**
   * Returns whether a text comes back as it is sent. The server refuses NUL. An unpaired surrogate,
   * which UTF-8 can't express, becomes a question mark on the way, and so perhaps the id of another
   * feature.
   */
  public static boolean isStorable(String text) {
    return text.indexOf('\0') < 0 && !hasLoneSurrogate(text);
  }

  /**
   * Returns the number of characters that PostgreSQL counts in a text. Java counts those beyond 16
   * bits twice.
   */
  public static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /**
   * Returns whether a text has half a surrogate pair. Runs for each text of each feature, so it is
   * a plain loop: a stream takes several times as long, above all before it is compiled.
   */
  public static boolean hasLoneSurrogate(String text) {
    boolean afterHigh = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isLowSurrogate(c) != afterHigh) {
        return true;
      }
      afterHigh = Character.isHighSurrogate(c);
    }
    return afterHigh;
  }
}
