// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on ledgers: init, info, commit, log, changes, schema, import, export, index, gc. Each
 * class is a verb, or one part of a verb; {@link io.tidemark.cli.ledger.LedgerMixin} opens the
 * ledger for them. The verbs are adapters of {@code io.tidemark.ledger}.
 */
@NullMarked
package io.tidemark.cli.ledger;

import org.jspecify.annotations.NullMarked;
