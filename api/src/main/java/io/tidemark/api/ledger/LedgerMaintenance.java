// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/** Work that keeps a ledger in order: indices, verification, compaction and garbage collection. */
public interface LedgerMaintenance {}
