// SPDX-License-Identifier: Apache-2.0
/**
 * Answers queries by looking at every row, in this process and in Java.
 *
 * <p>It is the plain statement of what queries mean, and what the answers of DuckDB are held to.
 * Start with {@link io.tidemark.ledger.internal.scan.ScanExecutor}; {@link
 * io.tidemark.ledger.internal.scan.FilterEvaluator} says of which rows a filter is true.
 */
@NullMarked
package io.tidemark.ledger.internal.scan;

import org.jspecify.annotations.NullMarked;
