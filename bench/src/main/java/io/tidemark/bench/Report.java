// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints results as they come, as a table for people or a line of JSON each for programs. */
final class Report {

  /** How the results are printed. */
  enum Form {
    TABLE,
    JSON
  }

  /** What a ratio should be. */
  record Goal(double bound, boolean atMost) {
    static Goal atMost(double bound) {
      return new Goal(bound, true);
    }

    static Goal atLeast(double bound) {
      return new Goal(bound, false);
    }

    boolean isMet(double ratio) {
      return atMost ? ratio <= bound : ratio >= bound;
    }

    @Override
    public String toString() {
      return (atMost ? "<= " : ">= ") + bound;
    }
  }

  private static final String LINE = "%-44s %12s %12s %7s  %s%n";

  private final PrintStream out;
  private final Form form;
  private final List<String> missed = new ArrayList<>();

  Report(PrintStream out, Form form) {
    this.out = out;
    this.form = form;
  }

  /** Starts a part of the table. */
  void section(String title, String peer) {
    if (form == Form.TABLE) {
      out.printf(Locale.ROOT, "%n" + LINE, title, "ours", peer, "ratio", "goal");
    }
  }

  /** A comparison by time: the ratio is ours divided by the peer's. */
  void compared(String what, Duel.Outcome outcome, Optional<Goal> goal) {
    line(what, outcome.oursMicros(), outcome.peerMicros(), outcome.ratio(), goal);
  }

  /** A comparison by rate: the ratio is the peer's time divided by ours. */
  void spedUp(String what, Duel.Outcome outcome, Optional<Goal> goal) {
    line(what, outcome.oursMicros(), outcome.peerMicros(), 1 / outcome.ratio(), goal);
  }

  /** Something to know about what was compared. */
  void remark(String text) {
    if (form == Form.TABLE) {
      out.println("  " + text);
    } else {
      out.println("{\"remark\":\"" + escaped(text) + "\"}");
    }
  }

  /** The comparisons that missed their goals. */
  List<String> missed() {
    return List.copyOf(missed);
  }

  private void line(String what, double ours, double peer, double ratio, Optional<Goal> goal) {
    boolean met = goal.map(g -> g.isMet(ratio)).orElse(true);
    if (!met) {
      missed.add(what);
    }
    String verdict = goal.map(g -> g + (met ? "" : "  missed")).orElse("");
    if (form == Form.TABLE) {
      out.printf(
          Locale.ROOT,
          LINE,
          what,
          micros(ours),
          micros(peer),
          String.format(Locale.ROOT, "%.2f", ratio),
          verdict);
    } else {
      out.printf(
          Locale.ROOT,
          "{\"what\":\"%s\",\"ours_us\":%.1f,\"peer_us\":%.1f,\"ratio\":%.3f,\"goal\":%s,\"met\":%s}%n",
          escaped(what),
          ours,
          peer,
          ratio,
          goal.map(g -> "\"" + g + "\"").orElse("null"),
          met);
    }
    out.flush();
  }

  private static String micros(double value) {
    return value >= 10_000
        ? String.format(Locale.ROOT, "%.1f ms", value / 1e3)
        : String.format(Locale.ROOT, "%.1f us", value);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
