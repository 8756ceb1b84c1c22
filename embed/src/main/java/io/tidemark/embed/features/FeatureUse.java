// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import io.tidemark.api.features.CommitOutcomeUnknownException;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.features.Features;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CommitUnknownException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.write.Transaction;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Open storage and the context of the operations on it. */
record FeatureUse(Features features, FeatureContext context) {

  private static final String STANDARD_APP = "tidemark-java";

  /** Returns the application and the person of the context. */
  Actor actor() {
    return new Actor(
        context.app().orElse(STANDARD_APP),
        context.author().orElse(null),
        context.requestId().orElse(null));
  }

  /** Reads at one moment, which has the transaction of the context. */
  <T> T read(Function<ReadTransaction, T> work) {
    OptionalLong since = context.minTxn();
    return since.isPresent()
        ? features.readSince(new Txn(since.getAsLong()), work)
        : features.read(work);
  }

  /** Writes in one transaction. */
  <T> T transact(Function<Transaction, T> work) {
    return commit(() -> features.transact(actor(), work));
  }

  /** Does work that commits. */
  <T> T commit(Supplier<T> work) {
    try {
      return work.get();
    } catch (CommitUnknownException e) {
      throw new CommitOutcomeUnknownException(
          String.valueOf(e.getMessage()), e.transactionId(), e.began(), e);
    }
  }
}
