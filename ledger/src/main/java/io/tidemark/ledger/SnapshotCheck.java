// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.internal.store.DataFileReader;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.List;
import java.util.OptionalLong;

/** Check of a snapshot that an index names against the commits in the chain. */
final class SnapshotCheck {

  private final LedgerObjects objects;
  private final TypeId type;
  private final List<Entry> truth;

  /**
   * Prepares the check.
   *
   * @param truth the files of the type's commits, by the chain
   */
  SnapshotCheck(LedgerObjects objects, TypeId type, List<Entry> truth) {
    this.objects = objects;
    this.type = type;
    this.truth = truth;
  }

  /**
   * Returns whether the snapshot begins and ends with commits of its type, claims all rows, and
   * exists.
   */
  boolean matchesEntries(Entry snapshot) {
    boolean first = truth.stream().anyMatch(commit -> commit.min() == snapshot.min());
    boolean last = truth.stream().anyMatch(commit -> commit.min() == snapshot.max());
    OptionalLong said = snapshot.rowCount();
    return first
        && last
        && (said.isEmpty() || said.getAsLong() == rows(snapshot))
        && objects.store().head(objects.key(snapshot.path())).isPresent();
  }

  /**
   * Returns whether the snapshot matches its entries, is what was written and has as many rows as
   * its commits.
   */
  boolean matchesContent(Entry snapshot) {
    if (!matchesEntries(snapshot)) {
      return false;
    }
    long[] rows = {0};
    Source source =
        new Source(
            snapshot.min(),
            snapshot.max(),
            snapshot.path(),
            snapshot.sha256(),
            snapshot.sizeBytes());
    try {
      new DataFileReader(objects)
          .read(
              type.kind(),
              source,
              row -> {
                boolean within =
                    row.commitId() >= snapshot.min() && row.commitId() <= snapshot.max();
                rows[0] += within ? 1 : 0;
              });
    } catch (CorruptLedgerException e) {
      return false;
    }
    return rows[0] == rows(snapshot);
  }

  private long rows(Entry snapshot) {
    return truth.stream()
        .filter(commit -> commit.min() >= snapshot.min() && commit.min() <= snapshot.max())
        .mapToLong(commit -> commit.rowCount().orElse(0))
        .sum();
  }
}
