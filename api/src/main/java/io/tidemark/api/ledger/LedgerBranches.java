// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/** Branches of a ledger: created, dropped and merged. */
public interface LedgerBranches {}
