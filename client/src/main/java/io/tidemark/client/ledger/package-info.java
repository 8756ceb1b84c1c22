// SPDX-License-Identifier: Apache-2.0
/**
 * Ledgers of a server, over its HTTP API. {@link io.tidemark.client.ledger.HttpLedgers} has the
 * ledgers of a server, {@link io.tidemark.client.ledger.HttpLedger} is the service of one.
 */
@NullMarked
package io.tidemark.client.ledger;

import org.jspecify.annotations.NullMarked;
