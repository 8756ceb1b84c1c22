// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.DataFileReader;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.TypeFileResolver;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.util.function.Consumer;

/**
 * Reader of the rows that make up the state of a type: of each identity the last version. Found in
 * two passes, one that learns which commit wrote each identity last and one that passes on these
 * rows, so that no payload is kept in memory. In the order of commits, then of identities.
 */
public final class LatestRows {

  private final TypeStateCache states;
  private final DataFileReader rows;

  public LatestRows(LedgerObjects objects, ManifestChain manifestChain) {
    this.states = new TypeStateCache(objects, manifestChain);
    this.rows = new DataFileReader(objects);
  }

  /** Returns how many identities a type has as of a commit. */
  public long count(TypeId type, PinnedHead pinnedHead, long commitId) {
    return states.asOf(type, pinnedHead, commitId).size();
  }

  /** Passes on the state of a type as of a commit. */
  public void forEach(TypeId type, PinnedHead pinnedHead, long commitId, Consumer<Row> consumer) {
    if (pinnedHead.newest().isEmpty() || commitId < 1) {
      return;
    }
    TypeState state = states.asOf(type, pinnedHead, commitId);
    scan(
        type,
        pinnedHead,
        commitId,
        row -> {
          if (state.commitOf(Digest.of(row.identity())) == row.commitId()) {
            consumer.accept(row);
          }
        });
  }

  /** Passes on every version of a range of commits. */
  public void history(
      TypeId type, PinnedHead pinnedHead, long sinceExclusive, long upTo, Consumer<Row> consumer) {
    if (pinnedHead.newest().isPresent()) {
      scan(
          type,
          pinnedHead,
          upTo,
          row -> {
            if (row.commitId() > sinceExclusive) {
              consumer.accept(row);
            }
          });
    }
  }

  private void scan(TypeId type, PinnedHead pinnedHead, long upTo, Consumer<Row> consumer) {
    TypeFileResolver.ResolvedFiles resolvedFiles = states.sources(type, pinnedHead, upTo);
    rows.readAll(
        type.kind(),
        resolvedFiles,
        (source, row) -> {
          if (row.commitId() > resolvedFiles.lowerExclusive() && row.commitId() <= upTo) {
            consumer.accept(row);
          }
        });
  }
}
