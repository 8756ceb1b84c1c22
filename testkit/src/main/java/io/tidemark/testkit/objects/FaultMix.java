// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * How often which fault happens, when faults come at random.
 *
 * <p>{@code FaultMix.none().with(0.05, Fault.loseAnswer())} or {@code FaultMix.everything(0.3)}.
 */
public final class FaultMix {
  private static final int LATEST = 6;
  private static final int LONGEST_ANSWER = 40;

  private record Share(double probability, Function<RandomGenerator, Fault> fault) {}

  private final List<Share> shares;

  private FaultMix(List<Share> shares) {
    this.shares = List.copyOf(shares);
  }

  /** No faults at all. */
  public static FaultMix none() {
    return new FaultMix(List.of());
  }

  /**
   * Everything a truthful backend can show, each equally often.
   *
   * @param probability that any fault happens to a request
   */
  public static FaultMix everything(double probability) {
    double each = probability / 7;
    return none()
        .with(each, Fault.loseAnswer())
        .with(each, Fault.loseRequest())
        .with(each, random -> Fault.arriveLate(1 + random.nextInt(LATEST)))
        .with(each, Fault.unavailable())
        .with(each, Fault.conflict())
        .with(each, Fault.refuse())
        .with(each, random -> Fault.breakOff(random.nextInt(LONGEST_ANSWER)));
  }

  /** This mix and one more fault. */
  public FaultMix with(double probability, Fault fault) {
    return with(probability, random -> fault);
  }

  /** This mix and one more fault that is drawn anew each time. */
  public FaultMix with(double probability, Function<RandomGenerator, Fault> fault) {
    List<Share> more = new ArrayList<>(shares);
    more.add(new Share(probability, fault));
    return new FaultMix(more);
  }

  /** Draws what happens to the next request; empty when nothing does. */
  Optional<Fault> draw(RandomGenerator random, Operation operation) {
    double drawn = random.nextDouble();
    for (Share share : shares) {
      drawn -= share.probability();
      if (drawn < 0) {
        return Optional.of(share.fault().apply(random)).filter(fault -> fault.fits(operation));
      }
    }
    return Optional.empty();
  }
}
