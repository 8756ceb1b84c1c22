// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code tidemark} command: reading arguments, wiring rooms together, printing results. What a
 * verb does lives in the room that does it.
 *
 * <p>Start with {@link io.tidemark.cli.TidemarkCommand}; {@code CommandDescriptor} lists the verbs
 * and says how to add one, {@code CommandErrorHandler} decides what users see when something goes
 * wrong.
 */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
