// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints results as they come, as a table for people or a line of JSON each for programs. */
public final class Report {

  /** How the results are printed. */
  public enum Form {
    TABLE,
    JSON
  }

  /**
   * What a ratio should be.
   *
   * @param enough a rate that is enough whatever the ratio is, so many a second
   */
  public record Goal(Side side, double bound, double enough) {

    /** On which side of the bound it should be. */
    public enum Side {
      AT_MOST,
      AT_LEAST
    }

    public static Goal atMost(double bound) {
      return new Goal(Side.AT_MOST, bound, Double.POSITIVE_INFINITY);
    }

    public static Goal atLeast(double bound) {
      return new Goal(Side.AT_LEAST, bound, Double.POSITIVE_INFINITY);
    }

    /** Or to be as fast as this. */
    public Goal orPerSecond(double rate) {
      return new Goal(side, bound, rate);
    }

    boolean isMet(double ratio) {
      return side == Side.AT_MOST ? ratio <= bound : ratio >= bound;
    }

    @Override
    public String toString() {
      String or =
          enough < Double.POSITIVE_INFINITY ? String.format(Locale.ROOT, " or %.0f/s", enough) : "";
      return (side == Side.AT_MOST ? "<= " : ">= ") + bound + or;
    }
  }

  /** A part of the table. */
  private record Section(String title, Optional<String> peer) {
    @Override
    public String toString() {
      return title + peer.map(p -> " beside " + p).orElse("");
    }
  }

  /** A figure: how people read it, and how programs do. */
  private record Cell(String text, String json) {}

  private static final String LINE = "%-44s %12s %12s %7s  %s%n";

  private final PrintStream out;
  private final Form form;
  private final List<String> missed = new ArrayList<>();
  private Optional<Section> section = Optional.empty();

  public Report(PrintStream out, Form form) {
    this.out = out;
    this.form = form;
  }

  /** Starts a part of the table that compares us with a peer. */
  public void section(String title, String peer) {
    begin(new Section(title, Optional.of(peer)), "ours", peer);
  }

  /** Starts a part of the table that compares nothing, or us with ourselves. */
  public void section(String title, String first, String second) {
    begin(new Section(title, Optional.empty()), first, second);
  }

  private void begin(Section next, String first, String second) {
    section = Optional.of(next);
    if (form == Form.TABLE) {
      boolean compares = !second.isEmpty();
      String ratio = compares ? "ratio" : "";
      String goal = compares ? "goal" : "";
      String head = String.format(Locale.ROOT, LINE, next.title(), first, second, ratio, goal);
      out.println(System.lineSeparator() + head.stripTrailing());
    }
  }

  /** A comparison by time: the ratio is ours divided by the peer's. */
  public void compareTimes(String what, PairedBenchmark.Outcome outcome, Optional<Goal> goal) {
    line(what, duel(outcome), outcome.ratio(), goal);
  }

  /** A comparison by rate: the ratio is the peer's time divided by ours. */
  public void compareSpeed(String what, PairedBenchmark.Outcome outcome, Optional<Goal> goal) {
    line(what, duel(outcome), 1 / outcome.ratio(), goal);
  }

  /** A comparison by rate, which is what is printed of both: so many a second. */
  public void compareRates(String what, PairedBenchmark.Outcome outcome, Optional<Goal> goal) {
    List<Cell> cells =
        List.of(
            rate("ours_per_s", 1e6 / outcome.oursMicros()),
            rounds(rate("peer_per_s", 1e6 / outcome.peerMicros()), outcome));
    line(what, cells, 1 / outcome.ratio(), goal, 1e6 / outcome.oursMicros());
  }

  /** What it takes on either side: requests, for example. */
  public void compareAmounts(String what, double ours, double peer) {
    line(what, List.of(number("ours", ours), number("peer", peer)), ours / peer, Optional.empty());
  }

  /** How far the slow ones are from the usual one. */
  public void reportTail(String what, double p50Micros, double p99Micros, Goal goal) {
    List<Cell> cells = List.of(micros("p50_us", p50Micros), micros("p99_us", p99Micros));
    line(what, cells, p99Micros / p50Micros, Optional.of(goal));
  }

  /** How much longer the last repetitions took than the first ones. */
  public void reportGrowth(String what, double firstMicros, double lastMicros, Goal goal) {
    List<Cell> cells = List.of(micros("first_us", firstMicros), micros("last_us", lastMicros));
    line(what, cells, lastMicros / firstMicros, Optional.of(goal));
  }

  /** How far those who got least are from those who got most. */
  public void reportFairness(String what, long least, long most, Goal goal) {
    List<Cell> cells = List.of(count("least", least), count("most", most));
    line(what, cells, (double) least / most, Optional.of(goal));
  }

  /** A time with nothing to compare it with. */
  public void reportTime(String what, double micros) {
    measured(what, micros("us", micros));
  }

  /** A size with nothing to compare it with. */
  public void reportSize(String what, double mebibytes) {
    String text = String.format(Locale.ROOT, "%.1f", mebibytes);
    measured(what, new Cell(text + " MiB", "\"mib\":" + text));
  }

  /** Something to know about what was compared. */
  public void remark(String text) {
    if (form == Form.TABLE) {
      out.println("  " + text);
    } else {
      out.println("{" + place() + "\"remark\":\"" + escaped(text) + "\"}");
    }
  }

  /** The comparisons that missed their goals. */
  public List<String> missed() {
    return List.copyOf(missed);
  }

  private void line(String what, List<Cell> cells, double ratio, Optional<Goal> goal) {
    line(what, cells, ratio, goal, 0);
  }

  private void line(
      String what, List<Cell> cells, double ratio, Optional<Goal> goal, double perSecond) {
    boolean met = goal.map(g -> g.isMet(ratio) || perSecond >= g.enough()).orElse(true);
    if (!met) {
      missed.add(section.map(s -> s + ": ").orElse("") + what);
    }
    if (form == Form.TABLE) {
      String verdict = goal.map(g -> g + (met ? "" : "  missed")).orElse("");
      String rounded = String.format(Locale.ROOT, "%.2f", ratio);
      out.printf(
          Locale.ROOT, LINE, what, cells.get(0).text(), cells.get(1).text(), rounded, verdict);
    } else {
      out.printf(
          Locale.ROOT,
          "{%s\"what\":\"%s\",%s,%s,\"ratio\":%.3f,\"goal\":%s,\"met\":%s}%n",
          place(),
          escaped(what),
          cells.get(0).json(),
          cells.get(1).json(),
          ratio,
          goal.map(g -> "\"" + g + "\"").orElse("null"),
          met);
    }
    out.flush();
  }

  private void measured(String what, Cell cell) {
    if (form == Form.TABLE) {
      out.printf(Locale.ROOT, "%-44s %12s%n", what, cell.text());
    } else {
      out.printf("{%s\"what\":\"%s\",%s}%n", place(), escaped(what), cell.json());
    }
    out.flush();
  }

  /** Where in the table a line is, for a reader of JSON who doesn't see what is above it. */
  private String place() {
    if (section.isEmpty()) {
      return "";
    }
    return field("section", section.get().title())
        + section.get().peer().map(peer -> field("peer", peer)).orElse("");
  }

  private static String field(String name, String text) {
    return "\"" + name + "\":\"" + escaped(text) + "\",";
  }

  private static List<Cell> duel(PairedBenchmark.Outcome outcome) {
    return List.of(
        micros("ours_us", outcome.oursMicros()),
        rounds(micros("peer_us", outcome.peerMicros()), outcome));
  }

  /** Programs are told every round, as pairs of microseconds. */
  private static Cell rounds(Cell cell, PairedBenchmark.Outcome outcome) {
    String pairs =
        outcome.rounds().stream()
            .map(r -> String.format(Locale.ROOT, "[%.2f,%.2f]", r.oursMicros(), r.peerMicros()))
            .collect(Collectors.joining(","));
    return new Cell(cell.text(), cell.json() + ",\"rounds_us\":[" + pairs + "]");
  }

  private static Cell micros(String name, double value) {
    String text =
        value >= 10_000
            ? String.format(Locale.ROOT, "%.1f ms", value / 1e3)
            : String.format(Locale.ROOT, value >= 100 ? "%.1f us" : "%.2f us", value);
    return new Cell(text, String.format(Locale.ROOT, "\"%s\":%.2f", name, value));
  }

  private static Cell rate(String name, double value) {
    String text = String.format(Locale.ROOT, value >= 100 ? "%.0f/s" : "%.1f/s", value);
    return new Cell(text, String.format(Locale.ROOT, "\"%s\":%.3f", name, value));
  }

  private static Cell number(String name, double value) {
    String text = String.format(Locale.ROOT, value >= 1_000 ? "%.0f" : "%.1f", value);
    return new Cell(text, "\"" + name + "\":" + text);
  }

  private static Cell count(String name, long value) {
    return new Cell(Long.toString(value), "\"" + name + "\":" + value);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
