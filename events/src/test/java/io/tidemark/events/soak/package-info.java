// SPDX-License-Identifier: Apache-2.0
/** Runners in several processes that are killed, have bad connections and clocks that differ. */
@NullMarked
package io.tidemark.events.soak;

import org.jspecify.annotations.NullMarked;
