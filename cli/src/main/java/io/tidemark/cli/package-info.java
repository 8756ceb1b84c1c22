// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code tidemark} command: reading arguments, wiring rooms together, printing results. What a
 * verb does lives in the room that does it.
 */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
