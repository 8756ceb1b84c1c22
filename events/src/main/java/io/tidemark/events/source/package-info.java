// SPDX-License-Identifier: Apache-2.0
/**
 * Where events come from that nobody publishes by hand: what a ledger's commits carry in their
 * outbox, the commits themselves, and what moves in a nameservice. Start with {@link
 * io.tidemark.events.source.LedgerOutbox}, {@link io.tidemark.events.source.CommitEventSource} and
 * {@link io.tidemark.events.source.NameChangeEventSource}.
 *
 * <p>Each publishes first and then writes down how far it is, in an object of its own. So whoever
 * goes on after a crash may publish something again, under the same id, which handlers get once;
 * and any number of processes may follow the same thing under the same name.
 */
@NullMarked
package io.tidemark.events.source;

import org.jspecify.annotations.NullMarked;
