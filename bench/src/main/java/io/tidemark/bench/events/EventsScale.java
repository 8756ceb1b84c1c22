// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

/**
 * How much to do. Events are counted in multiples of 8, so that they can be shared between workers.
 *
 * @param warmUp events each side handles before a contest, until the compiler knows the way
 * @param rounds how many rounds of a duel count
 * @param local events a round in a directory
 * @param remote events a round over the wire
 * @param past how many events have been handled before a namespace is idle, at most
 */
record EventsScale(int warmUp, int rounds, int local, int remote, int past) {

  static EventsScale full() {
    return new EventsScale(4_800, 7, 800, 800, 100_000);
  }

  /** Shows that everything runs; the figures mean little. */
  static EventsScale quick() {
    return new EventsScale(64, 1, 64, 32, 1_000);
  }
}
