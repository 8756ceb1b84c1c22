// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.branch;

import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.Manifest.Link;
import java.util.List;
import java.util.Optional;

/**
 * Holds the types of two branches to what can be merged: a type that both have has the same schema,
 * and wasn't dropped on either since they last knew of each other. Rows that a drop took away are
 * in no state, so nobody could tell them from rows that never were.
 */
record TypesAgree(Merge.Target target, BranchName source, Ancestry ancestry, List<Link> bases) {

  void require(TypeId type, Base ours, Base theirs) {
    Optional<SchemaDiff> diff = target.types().diff(type, ours, theirs);
    if (diff.isPresent()) {
      throw new SchemasDifferException(
          target.objects().branch() + " and " + source + " have different schemas: " + diff.get());
    }
  }

  void requireNotDropped(TypeId type, Base ours, Base theirs) {
    Manifest mine = ours.newest().orElseThrow();
    Manifest other = theirs.newest().orElseThrow();
    boolean rows = mine.lastTouch(type) > 0;
    boolean otherRows = other.lastTouch(type) > 0;
    if (rows && isNew(theirs, other.floor(type))) {
      throw dropped(type, source, target.objects().branch());
    }
    if (otherRows && isNew(ours, mine.floor(type)) && !isKnown(theirs, other.lastTouch(type))) {
      throw dropped(type, target.objects().branch(), source);
    }
  }

  /** Whether a commit of a branch is none that both sides know of. */
  private boolean isNew(Base branch, long commitId) {
    return commitId > 0 && !isKnown(branch, commitId);
  }

  private boolean isKnown(Base branch, long commitId) {
    Link commit = new Lineage(target.chain(), branch.head().tip().orElseThrow()).at(commitId);
    return bases.stream().anyMatch(base -> ancestry.includes(base, commit));
  }

  private static BranchRefusedException dropped(TypeId type, BranchName where, BranchName other) {
    return new BranchRefusedException(
        type
            + " was dropped on "
            + where
            + " and has rows on "
            + other
            + "; drop it there too, or declare it again and bring the rows by export and import");
  }
}
