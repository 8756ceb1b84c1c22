// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Txn;

/**
 * Data that is known when a batch begins: the actor, the collection and the time. The number of the
 * transaction isn't: it is taken once the features are locked. Otherwise a transaction with a later
 * number could change a feature while this one waits for its lock, and would be followed by an
 * earlier number.
 *
 * @param actor the application and person that write
 * @param storageId the storage
 * @param collection the collection
 * @param now when the transaction began, in milliseconds by the server's clock
 * @param clock the server's clock when the batch began
 */
record BatchContext(
    Actor actor, String storageId, CollectionInfo collection, long now, long clock) {

  NamespaceBuilder withTxn(Txn txn) {
    return new NamespaceBuilder(actor, storageId, collection, txn, now, clock);
  }
}
