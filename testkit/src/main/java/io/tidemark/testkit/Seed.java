// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The seed of a random test: new each time and printed, or the one given by {@code -Dseed=} to see
 * the same run again.
 *
 * @param value what the generator starts from
 */
public record Seed(long value) {

  /** Chooses the seed of the named test and prints it. */
  public static Seed of(String test) {
    String given = System.getProperty("seed", "");
    long value = given.isBlank() ? System.nanoTime() : Long.parseLong(given.strip());
    System.out.println(test + ": -Dseed=" + value);
    return new Seed(value);
  }

  /** A generator that starts from this seed. */
  public RandomGenerator random() {
    return new SplittableRandom(value);
  }

  /** The words {@code -Dseed=N}, for the description of an assertion. */
  @Override
  public String toString() {
    return "-Dseed=" + value;
  }
}
