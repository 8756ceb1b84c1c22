// SPDX-License-Identifier: Apache-2.0
/** That both executors mean the same. */
@NullMarked
package io.tidemark.ledger.internal.duckdb;

import org.jspecify.annotations.NullMarked;
