// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ledger.LedgerBranches;

/** Branches of a ledger in this process. */
record EmbeddedBranches(LedgerUse ledger) implements LedgerBranches {}
