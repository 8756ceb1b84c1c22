// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Txn;

/**
 * Result of a batch in a transaction of its own.
 *
 * @param result the rows
 * @param txn the transaction, which is committed if all writes were done, and otherwise rolled back
 */
public record CommittedBatch(BatchResult result, Txn txn) {}
