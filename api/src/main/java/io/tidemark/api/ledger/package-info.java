// SPDX-License-Identifier: Apache-2.0
/**
 * Service of ledgers: typed entities and relations in commits that never change. {@link
 * io.tidemark.api.ledger.LedgerService} is one branch of a ledger; {@link
 * io.tidemark.api.ledger.LedgerCatalog} lists and makes ledgers. Requests and results are records
 * whose JSON form is that of the HTTP API.
 */
@NullMarked
package io.tidemark.api.ledger;

import org.jspecify.annotations.NullMarked;
