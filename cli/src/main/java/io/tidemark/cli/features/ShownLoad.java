// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.bulk.LoadProgress;
import java.util.Locale;
import java.util.OptionalLong;

/** How far a load is, on one line of a terminal. */
final class ShownLoad {

  private static final int WIDTH = 20;
  private static final int TABLES = 16;

  private ShownLoad() {}

  static String text(LoadProgress at) {
    String rate = String.format(Locale.ROOT, "%,.0f/s", at.rate());
    return switch (at.phase()) {
      case COPY -> bar(share(at)) + count(at.rows()) + ", " + rate;
      case KEYS -> bar(at.tables() / (double) TABLES) + count(at.rows()) + ", building keys";
      case ATTACH -> bar(1) + count(at.rows()) + ", taking their place";
    };
  }

  /** How much of a file a server has got. */
  static String sent(long bytes, OptionalLong of) {
    double share = of.isEmpty() ? -1 : bytes / (double) Math.max(1, of.getAsLong());
    return bar(share) + String.format(Locale.ROOT, "%,d bytes sent", bytes);
  }

  /** Of the input; negative when its size isn't known. */
  private static double share(LoadProgress at) {
    return at.totalBytes().isEmpty()
        ? -1
        : at.bytes() / (double) Math.max(1, at.totalBytes().getAsLong());
  }

  private static String bar(double share) {
    if (share < 0) {
      return "";
    }
    int done = (int) Math.min(WIDTH, share * WIDTH);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%  ",
        "#".repeat(done),
        " ".repeat(WIDTH - done),
        Math.min(1, share) * 100);
  }

  /** How many features. */
  static String count(long features) {
    return String.format(Locale.ROOT, features == 1 ? "%,d feature" : "%,d features", features);
  }
}
