// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Listing of transactions.
 *
 * @param start transactions that are listed, and their order
 * @param limit maximum number of transactions on a page
 * @param cursor end of the page before
 */
@RecordBuilder
public record TransactionsRequest(Start start, int limit, Optional<String> cursor)
    implements TransactionsRequestBuilder.With {

  /** Start and order of a listing. */
  public sealed interface Start {}

  /** The newest transactions first, by their txn. */
  public record Newest() implements Start {}

  /** The newest transactions with a message of that id first. */
  public record WithMessage(String id) implements Start {}

  /** Transactions from a txn on, by their txn. */
  public record FromTxn(long txn) implements Start {}

  /** Transactions from a sequence number on, by that number. */
  public record FromNumber(long number) implements Start {}

  /** Returns the listing of the newest transactions. */
  public static TransactionsRequest newest(int limit) {
    return from(new Newest(), limit);
  }

  /** Returns the first page of a listing. */
  public static TransactionsRequest from(Start start, int limit) {
    return new TransactionsRequest(start, limit, Optional.empty());
  }
}
