// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Runs two workloads in turn, round by round, so that whatever else the machine does at the time
 * falls on both, and compares them round by round.
 */
public final class PairedBenchmark {

  /** How long an operation took in one round. */
  public record Round(double oursMicros, double peerMicros) {}

  /** What came out, in the order in which it did. */
  public record Outcome(List<Round> rounds) {

    public Outcome {
      rounds = List.copyOf(rounds);
    }

    /** The median time of one of our operations. */
    public double oursMicros() {
      return median(Round::oursMicros);
    }

    /** The median time of one of the peer's. */
    public double peerMicros() {
      return median(Round::peerMicros);
    }

    /** The median over the rounds of our time divided by the peer's in the same round. */
    public double ratio() {
      return median(round -> round.oursMicros() / round.peerMicros());
    }

    private double median(ToDoubleFunction<Round> value) {
      return PairedBenchmark.median(rounds.stream().mapToDouble(value).boxed().toList());
    }
  }

  private final int rounds;
  private final int operations;

  /**
   * Plans a duel.
   *
   * @param rounds how many rounds count; a third as many come before to warm up
   * @param operations how many operations a round has for each
   */
  public PairedBenchmark(int rounds, int operations) {
    this.rounds = rounds;
    this.operations = operations;
  }

  /** Lets them take turns. */
  public Outcome run(Workload ours, Workload peer) throws Exception {
    int warmUps = (rounds + 2) / 3;
    List<Round> counted = new ArrayList<>();
    for (int round = -warmUps; round < rounds; round++) {
      boolean oursFirst = round % 2 == 0;
      double first = time(oursFirst ? ours : peer);
      double second = time(oursFirst ? peer : ours);
      if (round >= 0) {
        counted.add(oursFirst ? new Round(first, second) : new Round(second, first));
      }
    }
    return new Outcome(counted);
  }

  private double time(Workload workload) throws Exception {
    long start = System.nanoTime();
    workload.run(operations);
    return (System.nanoTime() - start) / 1e3 / operations;
  }

  /** The middle one, or what is between the two in the middle. */
  public static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
