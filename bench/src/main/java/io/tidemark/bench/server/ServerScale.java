// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import java.util.List;

/**
 * How much to do.
 *
 * @param connections how many at once, one after another
 * @param rounds how many rounds of a duel count
 * @param lookUps a round
 * @param writes a round
 * @param watchers at once
 * @param seconds for how long watchers are told of moves
 */
record ServerScale(
    List<Integer> connections, int rounds, int lookUps, int writes, int watchers, int seconds) {

  static ServerScale full() {
    return new ServerScale(List.of(1, 8, 64), 7, 25_600, 1_280, 1_000, 10);
  }

  /** Shows that everything runs; the figures mean little. */
  static ServerScale quick() {
    return new ServerScale(List.of(1, 2), 1, 40, 8, 10, 1);
  }
}
