// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import java.util.List;
import java.util.Optional;

/**
 * Check that the types of two branches can be merged: a type that both have has the same schema,
 * and wasn't dropped on either since the merge base. Dropped rows are in no state, so they can't be
 * told from rows that never existed.
 */
record MergeSchemaCheck(MergeInputs sides, List<Link> bases) {

  void requireSameSchema(TypeId type) {
    Optional<SchemaDiff> diff = sides.types().diff(type, sides.ours(), sides.theirs());
    if (diff.isPresent()) {
      throw new SchemasDifferException(
          target() + " and " + sides.source() + " have different schemas: " + diff.get());
    }
  }

  void requireNotDropped(TypeId type) {
    PinnedHead ours = sides.ours();
    PinnedHead theirs = sides.theirs();
    Manifest mine = ours.newest().orElseThrow();
    Manifest other = theirs.newest().orElseThrow();
    boolean rows = mine.lastTouch(type) > 0;
    boolean otherRows = other.lastTouch(type) > 0;
    if (rows && isNew(theirs, other.type(type).floor())) {
      throw dropped(type, sides.source(), target());
    }
    if (otherRows
        && isNew(ours, mine.type(type).floor())
        && !isKnown(theirs, other.lastTouch(type))) {
      throw dropped(type, target(), sides.source());
    }
  }

  private BranchName target() {
    return sides.target().objects().branch();
  }

  /** Returns whether a commit of a branch is unknown to the other side. */
  private boolean isNew(PinnedHead branch, long commitId) {
    return commitId > 0 && !isKnown(branch, commitId);
  }

  private boolean isKnown(PinnedHead branch, long commitId) {
    Link commit = new Lineage(sides.chain(), branch.head().tip().orElseThrow()).at(commitId);
    return bases.stream().anyMatch(base -> sides.ancestry().includes(base, commit));
  }

  /** Creates the error. Its remedy works on either side: rows from after the merge are new ones. */
  private static BranchRefusedException dropped(TypeId type, BranchName where, BranchName other) {
    return new BranchRefusedException(
        type
            + " was dropped on "
            + where
            + " and has rows on "
            + other
            + ", of which nobody could tell whether they are to go; drop it on "
            + other
            + " too, after an export if they are to stay, then merge, and import them");
  }
}
