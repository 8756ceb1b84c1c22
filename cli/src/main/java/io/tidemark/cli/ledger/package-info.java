// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on ledgers: init, info, commit, log, changes, schema, import, export, index, gc. Each
 * class is a verb, or one part of a verb; {@link io.tidemark.cli.ledger.LedgerMixin} is how they
 * get at the ledger. What the verbs do lives in {@code io.tidemark.ledger}.
 */
@NullMarked
package io.tidemark.cli.ledger;

import org.jspecify.annotations.NullMarked;
