// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.query.model.Cursor;
import java.util.List;
import java.util.Optional;

/**
 * Page of the rows that a query found.
 *
 * @param commitId the commit that all pages are as of
 * @param next cursor of the next page; empty when this is the last
 */
public record ResultPage<T>(List<ResultRow<T>> hits, long commitId, Optional<Cursor> next) {
  public ResultPage {
    hits = List.copyOf(hits);
  }
}
