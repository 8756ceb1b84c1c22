// SPDX-License-Identifier: Apache-2.0
/**
 * An event bus on plain objects: every event is handled at least once by each handler, or ends as a
 * dead letter with the reason.
 *
 * <p>Start with {@link io.tidemark.events.EventBus}, which is opened on a store, and {@link
 * io.tidemark.events.Namespace}, in which events are published and claimed. A claimed event is a
 * {@link io.tidemark.events.Delivery}. Values such as events, claims and options are in {@code
 * model}, the objects and their keys in {@code store}, the cache of events and claims of a process
 * in {@code claim}.
 */
@NullMarked
package io.tidemark.events;

import org.jspecify.annotations.NullMarked;
