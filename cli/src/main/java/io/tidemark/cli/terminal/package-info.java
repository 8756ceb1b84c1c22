// SPDX-License-Identifier: Apache-2.0
/**
 * Terminal output of every verb: text in columns, the progress of long work, the version and the
 * exit code. Start with {@link io.tidemark.cli.terminal.Table} and {@link
 * io.tidemark.cli.terminal.ExitCodes}.
 */
@NullMarked
package io.tidemark.cli.terminal;

import org.jspecify.annotations.NullMarked;
