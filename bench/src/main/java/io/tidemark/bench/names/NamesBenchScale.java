// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import java.time.Duration;

/**
 * How much to do. Moves are counted in multiples of 32, so that they can be shared between threads.
 *
 * @param warmUp moves each makes before a contest, until the compiler knows them: the JVM's last
 *     one takes up a method after some 15,000 calls, and what only one of the two calls is called
 *     once a move
 * @param rounds how many rounds of a duel count
 * @param records how many are many to spread moves over
 * @param inMemory moves a round where nothing leaves the process
 * @param synced moves a round where every one is durable
 * @param remote moves a round over the wire
 * @param listed how many records the long listings have
 * @param rush how long many writers want to move the same record
 */
record NamesBenchScale(
    int warmUp,
    int rounds,
    int records,
    int inMemory,
    int synced,
    int remote,
    int listed,
    Duration rush) {

  static NamesBenchScale full() {
    return new NamesBenchScale(
        25_600, 7, 1_000, 400_000, 640, 1_024, 100_000, Duration.ofSeconds(3));
  }

  /** Shows that everything runs; the figures mean little. */
  static NamesBenchScale quick() {
    return new NamesBenchScale(64, 2, 64, 3_200, 64, 32, 2_000, Duration.ofMillis(300));
  }
}
