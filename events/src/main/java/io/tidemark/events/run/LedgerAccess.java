// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.source.LedgerOutbox;
import io.tidemark.ledger.Session;
import java.util.function.Supplier;

/**
 * How a handler gets at the ledger that it commits to.
 *
 * @param outbox which publishes events exactly if the commit that carries them takes place
 * @param sessions makes a session of that ledger, with the types that the handler writes; called
 *     for each event whose handler asks for one
 */
public record LedgerAccess(LedgerOutbox outbox, Supplier<Session> sessions) {}
