// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

/**
 * The tile of level 31 that a place is in, as the digits of its quadkey. The world is a square of
 * 360 by 360 degrees, of which the upper half is empty.
 */
public final class Quadkey {

  private static final int LEVEL = 31;
  private static final double TILES = 1L << LEVEL;

  private Quadkey() {}

  /** Returns the quadkey of a place; places outside the world are in its outermost tile. */
  public static String of(double lon, double lat) {
    long x = clamped(Math.floor((lon + 180) / 360 * TILES), TILES - 1);
    long y = clamped(Math.floor((lat + 90) / 360 * TILES), TILES / 2 - 1);
    char[] digits = new char[LEVEL];
    for (int i = 0; i < LEVEL; i++) {
      int bit = LEVEL - 1 - i;
      digits[i] = (char) ('0' + 2 * (y >> bit & 1) + (x >> bit & 1));
    }
    return new String(digits);
  }

  private static long clamped(double tile, double last) {
    return (long) Math.max(0, Math.min(last, tile));
  }
}
