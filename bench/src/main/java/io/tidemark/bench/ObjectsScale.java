// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

/**
 * How much to do.
 *
 * @param rounds how many rounds count
 * @param cached operations a round where nothing is synced
 * @param synced operations a round where every write is
 * @param remote operations a round over the wire
 * @param listed how many keys the long listing has
 */
record ObjectsScale(int rounds, int cached, int synced, int remote, int listed) {

  static ObjectsScale full() {
    return new ObjectsScale(9, 4_000, 800, 300, 100_000);
  }

  /** Shows that everything runs; the figures mean little. */
  static ObjectsScale quick() {
    return new ObjectsScale(2, 200, 80, 40, 2_000);
  }
}
