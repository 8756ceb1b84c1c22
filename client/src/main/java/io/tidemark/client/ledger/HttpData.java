// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.Streamed;
import io.tidemark.api.ledger.LedgerData;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.LedgerSql;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowCount;
import io.tidemark.api.ledger.RowFigures;
import io.tidemark.api.ledger.RowGroups;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.api.ledger.RowsHead;

/** Queries of a ledger of a server. */
record HttpData(LedgerServer server) implements LedgerData {

  @Override
  public RowPage page(QueryRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public Streamed<RowsHead, LedgerRow> rows(QueryRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public RowCount count(QueryRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public RowFigures figures(QueryRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public RowGroups groups(QueryRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public QueryExplanation explain(QueryRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public LedgerSql sql() {
    throw new UnsupportedOperationException("not yet");
  }
}
