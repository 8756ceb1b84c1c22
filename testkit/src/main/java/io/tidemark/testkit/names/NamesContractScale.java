// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

/**
 * How much the contract suite does, so that it ends in good time on a slow backend too.
 *
 * @param threads how many threads race
 * @param races how often each of them wins, or is in a race
 * @param records how many records the long listing has
 * @param operations how many operations the random history has
 */
public record NamesContractScale(int threads, int races, int records, int operations) {

  /** For backends on this machine. */
  public static NamesContractScale standard() {
    return new NamesContractScale(4, 40, 300, 4_000);
  }

  /** For backends that answer within microseconds, where a race is rarely close. */
  public static NamesContractScale fast() {
    return new NamesContractScale(4, 3_000, 3_000, 200_000);
  }

  /** For servers that take some hundred writes a second. */
  public static NamesContractScale slow() {
    return new NamesContractScale(4, 8, 60, 800);
  }

  /** This scale with another length of the random history. */
  public NamesContractScale withOperations(int count) {
    return new NamesContractScale(threads, races, records, count);
  }
}
