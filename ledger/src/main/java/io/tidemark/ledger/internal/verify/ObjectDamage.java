// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.store.BranchName;

/**
 * Damage: an object of a ledger that isn't as its commit wrote it.
 *
 * @param branch the first branch that has the object
 * @param commitId the commit that wrote it; of a snapshot, the first of its commits
 * @param key the object's key in the store
 */
public record ObjectDamage(
    DamageKind kind, BranchName branch, long commitId, String key, String expected, String found) {

  /** Way in which an object is damaged. */
  public enum DamageKind {
    /** The object doesn't exist. */
    MISSING("missing"),
    /** It has another number of bytes than its commit wrote. */
    WRONG_SIZE("wrong-size"),
    /** Its SHA-256 differs from the one in the manifest or in the index. */
    WRONG_HASH("wrong-hash"),
    /** It can't be read as what it is: a manifest, or a Parquet file of rows. */
    UNREADABLE("unreadable"),
    /** It has another number of rows than the manifest or the index says. */
    WRONG_ROWS("wrong-rows"),
    /** A manifest is of another commit, or names another commit as its parent. */
    WRONG_LINK("wrong-link"),
    /** Commits that no intact manifest leads to; they could not be checked. */
    UNREACHABLE("unreachable");

    private final String code;

    DamageKind(String code) {
      this.code = code;
    }

    /** Returns the word for it in JSON. */
    public String jsonName() {
      return code;
    }
  }

  /** Returns the damage as one line of text. */
  public String text() {
    return kind.jsonName() + "  " + key + "  expected " + expected + ", found " + found;
  }
}
