// SPDX-License-Identifier: Apache-2.0
/**
 * The objects of a bus: where they are, and how they are written as JSON. Start with {@link
 * io.tidemark.events.store.NamespaceKeys}.
 */
@NullMarked
package io.tidemark.events.store;

import org.jspecify.annotations.NullMarked;
