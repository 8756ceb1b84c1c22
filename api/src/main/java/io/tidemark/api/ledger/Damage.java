// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/**
 * An object of a ledger that isn't as it was written.
 *
 * @param damage kind of damage, such as {@code missing} or {@code wrong-hash}
 * @param branch the first branch that has the object
 * @param commitId the commit that wrote it
 */
public record Damage(
    String damage, String branch, long commitId, String key, String expected, String found) {

  /** Returns the damage as one line of text. */
  public String text() {
    return damage + "  " + key + "  expected " + expected + ", found " + found;
  }
}
