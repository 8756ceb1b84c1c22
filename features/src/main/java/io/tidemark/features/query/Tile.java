// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.InvalidRequestException;
import java.util.regex.Pattern;

/**
 * A tile of the world. The two kinds cut it differently, so the same digits are different places.
 *
 * @param kind how the world is cut
 * @param level how often; at level n a tile is the 2^n-th part of the world's width
 * @param x from the west
 * @param y from the north for {@link Kind#WEB}, from the south for {@link Kind#HERE}
 */
public record Tile(Kind kind, int level, long x, long y) {

  /** Tiling scheme of the world. */
  public enum Kind {
    /** A square in the Mercator projection, as maps on the web have it. */
    WEB,
    /** Degrees: a square of 360 by 360, of which the upper half is empty. */
    HERE
  }

  private static final int DEEPEST = 31;
  private static final int PIXELS = 256;
  private static final int WIDEST_MARGIN = 1_000_000;
  private static final Pattern DIGITS = Pattern.compile("[0-3]{1,31}");

  public Tile {
    long tiles = level < 1 || level > DEEPEST ? 0 : 1L << level;
    long rows = kind == Kind.HERE ? tiles / 2 : tiles;
    if (x < 0 || x >= tiles || y < 0 || y >= rows) {
      throw new InvalidRequestException(
          "there is no tile %d, %d at level %d; levels go from 1 to %d"
              .formatted(x, y, level, DEEPEST));
    }
  }

  /** Returns the tile of a map on the web, by its quadkey. */
  public static Tile web(String quadkey) {
    return of(Kind.WEB, quadkey);
  }

  /** Returns the HERE tile with a quadkey. */
  public static Tile here(String quadkey) {
    return of(Kind.HERE, quadkey);
  }

  /** Returns the HERE tile with a number: its quadkey in base 4, with a 1 before it. */
  public static Tile here(long id) {
    int bits = id < 4 ? 0 : 63 - Long.numberOfLeadingZeros(id);
    if (bits == 0 || bits % 2 == 1 || bits / 2 > DEEPEST) {
      throw new InvalidRequestException(
          "%d is no number of a tile; one is a quadkey in base 4 with a 1 before it, like 377894440"
              .formatted(id));
    }
    String digits = Long.toString(id, 4);
    return here(digits.substring(1));
  }

  private static Tile of(Kind kind, String quadkey) {
    if (!DIGITS.matcher(quadkey).matches()) {
      throw new InvalidRequestException(
          "'%s' is no quadkey; one has 1 to %d of the digits 0 to 3".formatted(quadkey, DEEPEST));
    }
    long x = 0;
    long y = 0;
    for (int i = 0; i < quadkey.length(); i++) {
      int digit = quadkey.charAt(i) - '0';
      x = 2 * x + (digit & 1);
      y = 2 * y + (digit >> 1);
    }
    return new Tile(kind, quadkey.length(), x, y);
  }

  /** Returns the quadkey of the tile. */
  public String quadkey() {
    StringBuilder digits = new StringBuilder(level);
    for (int bit = level - 1; bit >= 0; bit--) {
      digits.append(2 * (y >> bit & 1) + (x >> bit & 1));
    }
    return digits.toString();
  }

  /** Returns the number of a HERE tile. */
  public long id() {
    return Long.parseLong("1" + quadkey(), 4);
  }

  /** Returns the box that the tile covers. */
  public Area.Box box() {
    return box(0);
  }

  /**
   * Returns the box of the tile with a margin around it.
   *
   * @param margin in pixels, of which a tile has 256 in each direction
   */
  public Area.Box box(int margin) {
    if (margin < 0 || margin > WIDEST_MARGIN) {
      throw new InvalidRequestException(
          "a margin of %d pixels; give 0 to %d".formatted(margin, WIDEST_MARGIN));
    }
    double part = (double) margin / PIXELS;
    double low = Math.max(0, y - part);
    double high = y + 1 + part;
    double south = kind == Kind.WEB ? webLatitude(high) : hereLatitude(low);
    double north = kind == Kind.WEB ? webLatitude(low) : hereLatitude(high);
    double west = longitude(x - part);
    double east = longitude(x + 1 + part);
    if (east - west >= 360) {
      return new Area.Box(-180, south, 180, north);
    }
    return new Area.Box(
        west < -180 ? west + 360 : west, south, east > 180 ? east - 360 : east, north);
  }

  private double tiles() {
    return 1L << level;
  }

  private double longitude(double column) {
    return column / tiles() * 360 - 180;
  }

  private double hereLatitude(double row) {
    return Math.min(90, row / tiles() * 360 - 90);
  }

  /** The map ends at about 85 degrees; beyond its edge is its edge. */
  private double webLatitude(double row) {
    double n = Math.PI * (1 - 2 * Math.min(1, row / tiles()));
    return Math.toDegrees(Math.atan(Math.sinh(n)));
  }
}
