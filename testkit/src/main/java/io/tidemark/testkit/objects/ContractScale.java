// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

/**
 * How much the contract suite does, so that it ends in good time on a slow server too.
 *
 * @param threads how many threads race
 * @param races how often each of them wins, or is in a race
 * @param listedKeys how many keys the long listing has
 * @param modelSteps how many steps the comparison with a model takes
 */
public record ContractScale(int threads, int races, int listedKeys, int modelSteps) {

  /** For stores on this machine. */
  public static ContractScale standard() {
    return new ContractScale(8, 50, 2_500, 600);
  }

  /** For stores that answer within microseconds, where a race is rarely close. */
  public static ContractScale fast() {
    return new ContractScale(4, 5_000, 2_500, 2_000);
  }

  /** For servers that take some hundred writes a second. */
  public static ContractScale slow() {
    return new ContractScale(6, 12, 1_100, 150);
  }
}
