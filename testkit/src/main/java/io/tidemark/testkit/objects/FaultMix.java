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

  private record Share(double probability, Function<RandomGenerator, BackendFault> fault) {}

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
        .with(each, BackendFault.loseAnswer())
        .with(each, BackendFault.loseRequest())
        .with(each, random -> BackendFault.arriveLate(1 + random.nextInt(LATEST)))
        .with(each, BackendFault.unavailable())
        .with(each, BackendFault.conflict())
        .with(each, BackendFault.refuse())
        .with(each, random -> BackendFault.breakOff(random.nextInt(LONGEST_ANSWER)));
  }

  /** This mix and one more fault. */
  public FaultMix with(double probability, BackendFault backendFault) {
    return with(probability, random -> backendFault);
  }

  /** This mix and one more fault that is drawn anew each time. */
  public FaultMix with(double probability, Function<RandomGenerator, BackendFault> fault) {
    List<Share> more = new ArrayList<>(shares);
    more.add(new Share(probability, fault));
    return new FaultMix(more);
  }

  /** Draws what happens to the next request; empty when nothing does. */
  Optional<BackendFault> draw(RandomGenerator random, Operation operation) {
    double drawn = random.nextDouble();
    for (Share share : shares) {
      drawn -= share.probability();
      if (drawn < 0) {
        return Optional.of(share.fault().apply(random))
            .filter(backendFault -> backendFault.appliesTo(operation));
      }
    }
    return Optional.empty();
  }
}
