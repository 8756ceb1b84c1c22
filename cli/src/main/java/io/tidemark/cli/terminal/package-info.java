// SPDX-License-Identifier: Apache-2.0
/**
 * What people see on a terminal: text in columns, and how far long work is. Start with {@link
 * io.tidemark.cli.terminal.Table}.
 */
@NullMarked
package io.tidemark.cli.terminal;

import org.jspecify.annotations.NullMarked;
