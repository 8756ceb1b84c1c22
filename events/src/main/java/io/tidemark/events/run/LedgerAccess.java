// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.source.LedgerOutbox;
import io.tidemark.ledger.Session;
import java.util.function.Supplier;

/**
 * Access of a handler to the ledger that it commits to.
 *
 * @param outbox outbox that publishes events exactly if the commit that carries them takes place
 * @param sessions supplier of sessions of that ledger, with the types that the handler writes;
 *     called for each event whose handler asks for one
 */
public record LedgerAccess(LedgerOutbox outbox, Supplier<Session> sessions) {}
