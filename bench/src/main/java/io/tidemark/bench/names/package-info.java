// SPDX-License-Identifier: Apache-2.0
/**
 * The nameservice beside others who keep names that move by compare-and-set. {@link
 * io.tidemark.bench.names.Registers} is what all of them are seen as, and {@link
 * io.tidemark.bench.names.NamesComparison} lets two of them do the same work.
 */
@NullMarked
package io.tidemark.bench.names;

import org.jspecify.annotations.NullMarked;
