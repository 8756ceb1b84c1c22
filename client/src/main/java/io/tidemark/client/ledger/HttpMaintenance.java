// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.ledger.LedgerMaintenance;

/** Maintenance of a ledger on a server. */
record HttpMaintenance(LedgerServer server) implements LedgerMaintenance {}
