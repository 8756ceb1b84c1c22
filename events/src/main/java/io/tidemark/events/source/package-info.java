// SPDX-License-Identifier: Apache-2.0
/**
 * Sources of events: the outbox that a ledger's commits carry, the commits themselves, and the
 * changes in a nameservice. Start with {@link io.tidemark.events.source.LedgerOutbox}, {@link
 * io.tidemark.events.source.CommitEventSource} and {@link
 * io.tidemark.events.source.NameChangeEventSource}.
 *
 * <p>Each source publishes first and then stores its position, in an object of its own. A restart
 * after a crash may therefore publish an event again, under the same id, which handlers get once.
 * Any number of processes may follow the same ledger or nameservice under the same name.
 */
@NullMarked
package io.tidemark.events.source;

import org.jspecify.annotations.NullMarked;
