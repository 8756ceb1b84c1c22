// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.ledger.LedgerBranches;

/** Branches of a ledger on a server. */
record HttpBranches(LedgerServer server) implements LedgerBranches {}
