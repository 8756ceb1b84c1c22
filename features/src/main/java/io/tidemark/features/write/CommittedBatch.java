// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Txn;

/**
 * What became of a batch in a transaction of its own.
 *
 * @param result the rows
 * @param txn the transaction, which is committed if all was done, and else never was
 */
public record CommittedBatch(BatchResult result, Txn txn) {}
