// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.RowFiles;
import io.tidemark.ledger.internal.store.TypeFiles;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.util.function.Consumer;

/**
 * The rows that make up the state of a type: of each identity the last version. Found in two
 * passes, one that learns which commit wrote each identity last and one that hands on these rows,
 * so that no payload is kept in memory. In the order of commits, then of identities.
 */
public final class LatestRows {

  private final TypeStates states;
  private final RowFiles rows;

  public LatestRows(LedgerObjects objects, Chain chain) {
    this.states = new TypeStates(objects, chain);
    this.rows = new RowFiles(objects);
  }

  /** How many identities a type has as of a commit. */
  public long count(TypeId type, Base base, long commitId) {
    return states.asOf(type, base, commitId).size();
  }

  /** Hands on the state of a type as of a commit. */
  public void forEach(TypeId type, Base base, long commitId, Consumer<Row> consumer) {
    if (base.newest().isEmpty() || commitId < 1) {
      return;
    }
    TypeState state = states.asOf(type, base, commitId);
    scan(
        type,
        base,
        commitId,
        row -> {
          if (state.commitOf(Digest.of(row.identity())) == row.commitId()) {
            consumer.accept(row);
          }
        });
  }

  /** Hands on every version of a range of commits. */
  public void history(
      TypeId type, Base base, long sinceExclusive, long upTo, Consumer<Row> consumer) {
    if (base.newest().isPresent()) {
      scan(
          type,
          base,
          upTo,
          row -> {
            if (row.commitId() > sinceExclusive) {
              consumer.accept(row);
            }
          });
    }
  }

  private void scan(TypeId type, Base base, long upTo, Consumer<Row> consumer) {
    TypeFiles.Resolved resolved = states.sources(type, base, upTo);
    rows.readAll(
        type.kind(),
        resolved,
        (source, row) -> {
          if (row.commitId() > resolved.lowerExclusive() && row.commitId() <= upTo) {
            consumer.accept(row);
          }
        });
  }
}
