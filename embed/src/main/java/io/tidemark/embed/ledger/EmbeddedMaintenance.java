// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ledger.LedgerMaintenance;

/** Maintenance of a ledger in this process. */
record EmbeddedMaintenance(LedgerUse ledger) implements LedgerMaintenance {}
