// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Txn;

/**
 * What is known when a batch begins: who writes, where and when. The number of the transaction
 * isn't: it is taken once the features are locked. Taken before, somebody with a later number could
 * change a feature while this one waits for it, and would be followed by an earlier number.
 *
 * @param actor who writes
 * @param storageId the storage
 * @param collection the collection
 * @param now when the transaction began, in milliseconds by the server's clock
 * @param clock what the server's clock said when the batch began
 */
record BatchContext(
    Actor actor, String storageId, CollectionInfo collection, long now, long clock) {

  NamespaceBuilder withTxn(Txn txn) {
    return new NamespaceBuilder(actor, storageId, collection, txn, now, clock);
  }
}
