// SPDX-License-Identifier: Apache-2.0
/**
 * Reading along: a {@link io.tidemark.events.tail.Tail} delivers the events of a namespace as they
 * are published, claims none of them and leaves no trace.
 */
@NullMarked
package io.tidemark.events.tail;

import org.jspecify.annotations.NullMarked;
