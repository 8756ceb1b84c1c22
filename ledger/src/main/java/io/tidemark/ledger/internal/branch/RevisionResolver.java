// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.UnknownCommitException;
import java.util.function.LongConsumer;

/** Resolver of revisions to states. */
public record RevisionResolver(LedgerObjects objects, ManifestChain chain) {

  /**
   * Returns the difference of two states.
   *
   * @param read receives the number of rows read so far, now and then
   */
  public Diff diff(Revision from, Revision to, LongConsumer read) {
    ReadProgress rows = new ReadProgress(read);
    return Diff.inCurrentSchema(resolve(from, rows), resolve(to, rows));
  }

  private CommitState resolve(Revision revision, ReadProgress rows) {
    LedgerObjects branch = objects.forBranch(revision.branch());
    Head.Versioned versioned =
        Head.read(branch)
            .orElseThrow(
                () -> new UnknownBranchException(revision.branch().text(), objects.location()));
    Head head = versioned.head();
    long newest = head.commitId();
    long id = revision instanceof Revision.AtCommit at ? at.commitId() : newest;
    if (id > newest) {
      throw new UnknownCommitException(id, newest);
    }
    Link commit = id == 0 ? Lineage.BEGINNING : new Lineage(chain, head.tip().orElseThrow()).at(id);
    return new CommitState(branch.forHead(head), chain, versioned, commit, rows);
  }
}
