// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs two workloads in turn, round by round, so that whatever else the machine does at the time
 * falls on both, and compares them round by round.
 */
public final class Duel {

  /**
   * What came out.
   *
   * @param oursMicros the median time of one of our operations
   * @param peerMicros the median time of one of the peer's
   * @param ratio the median over the rounds of our time divided by the peer's in the same round
   */
  public record Outcome(double oursMicros, double peerMicros, double ratio) {}

  private final int rounds;
  private final int operations;

  /**
   * Plans a duel.
   *
   * @param rounds how many rounds count; a third as many come before to warm up
   * @param operations how many operations a round has for each
   */
  public Duel(int rounds, int operations) {
    this.rounds = rounds;
    this.operations = operations;
  }

  /** Lets them take turns. */
  public Outcome fight(Workload ours, Workload peer) throws Exception {
    int warmUps = (rounds + 2) / 3;
    List<Double> ourTimes = new ArrayList<>();
    List<Double> peerTimes = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int round = -warmUps; round < rounds; round++) {
      boolean oursFirst = round % 2 == 0;
      double first = time(oursFirst ? ours : peer);
      double second = time(oursFirst ? peer : ours);
      double our = oursFirst ? first : second;
      double their = oursFirst ? second : first;
      if (round >= 0) {
        ourTimes.add(our);
        peerTimes.add(their);
        ratios.add(our / their);
      }
    }
    return new Outcome(median(ourTimes), median(peerTimes), median(ratios));
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
