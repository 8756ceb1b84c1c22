// SPDX-License-Identifier: Apache-2.0
/** Sources of events. */
@NullMarked
package io.tidemark.events.source;

import org.jspecify.annotations.NullMarked;
