// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.tidemark.api.ResultStream;

/** Queries of the rows of a ledger, as they are or as they were. */
public interface LedgerQueries {

  /**
   * Returns the rows up to the limit, all of them without one, and where to go on. All pages are as
   * of the first one's commit.
   */
  RowPage page(QueryRequest request);

  /** Returns the rows one by one. */
  ResultStream<RowsHeader, LedgerRow> rows(QueryRequest request);

  /** Returns the number of rows. */
  RowCount count(QueryRequest request);

  /** Returns the aggregates of all rows. */
  RowAggregates aggregates(QueryRequest request);

  /** Returns the groups of rows with their aggregates. */
  RowGroups groups(QueryRequest request);

  /** Describes how the query is answered. */
  QueryExplanation explain(QueryRequest request);

  /** Returns the operations in SQL. */
  LedgerSql sql();
}
