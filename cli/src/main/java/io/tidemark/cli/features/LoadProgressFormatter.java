// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureLoadProgress;
import java.util.Locale;

/** Progress of a load on one line of a terminal. */
final class LoadProgressFormatter {

  private static final int WIDTH = 20;
  private static final int TABLES = 16;

  private LoadProgressFormatter() {}

  static String text(FeatureLoadProgress at) {
    String rate = String.format(Locale.ROOT, "%,.0f/s", at.rate());
    return switch (at.phase()) {
      case SEND -> bar(share(at)) + String.format(Locale.ROOT, "%,d bytes sent", at.bytes());
      case COPY -> bar(share(at)) + count(at.rows()) + ", " + rate;
      case KEYS -> bar(at.tables() / (double) TABLES) + count(at.rows()) + ", building keys";
      case ATTACH -> bar(1) + count(at.rows()) + ", taking their place";
    };
  }

  /** Returns the share of the input that was read; negative when its size isn't known. */
  private static double share(FeatureLoadProgress at) {
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

  /** Returns the number of features as text. */
  static String count(long features) {
    return String.format(Locale.ROOT, features == 1 ? "%,d feature" : "%,d features", features);
  }
}
