// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.Page;
import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.CommitChanges;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.LedgerCommits;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.api.ledger.RowDifference;
import java.util.function.LongConsumer;

/** Commits of a ledger on a server. */
record HttpCommits(LedgerServer server) implements LedgerCommits {

  @Override
  public Page<CommitSummary> list(CommitsRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public CommitSummary get(long id) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public Streamed<CommitChanges, RowChange> changes(long id) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public Streamed<DiffSummary, RowDifference> diff(DiffRequest request, LongConsumer progress) {
    throw new UnsupportedOperationException("not yet");
  }
}
