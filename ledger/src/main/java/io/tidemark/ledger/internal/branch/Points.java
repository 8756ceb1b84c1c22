// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.store.UnknownCommitException;
import java.util.function.LongConsumer;

/** Finds the states that are meant by points. */
public record Points(LedgerObjects objects, Chain chain) {

  /**
   * How two states differ.
   *
   * @param read told now and then how many rows have been read
   */
  public Diff diff(Point from, Point to, LongConsumer read) {
    RowsRead rows = new RowsRead(read);
    return Diff.inSchemaOfNow(state(from, rows), state(to, rows));
  }

  private State state(Point point, RowsRead rows) {
    LedgerObjects branch = objects.on(point.branch());
    Head.Versioned versioned =
        Head.read(branch)
            .orElseThrow(
                () -> new UnknownBranchException(point.branch().text(), objects.location()));
    Head head = versioned.head();
    long newest = head.commitId();
    long id = point instanceof Point.AtCommit at ? at.commitId() : newest;
    if (id > newest) {
      throw new UnknownCommitException(id, newest);
    }
    Link commit = id == 0 ? Lineage.BEGINNING : new Lineage(chain, head.tip().orElseThrow()).at(id);
    return new State(branch.of(head), chain, versioned, commit, rows);
  }
}
