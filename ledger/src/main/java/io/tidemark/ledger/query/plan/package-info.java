// SPDX-License-Identifier: Apache-2.0
/**
 * Cancellation and explanation of queries.
 *
 * <p>Start with {@link io.tidemark.ledger.query.plan.CancellationToken}, which ends a query, and
 * {@link io.tidemark.ledger.query.plan.Explanation}. Plans themselves are internal.
 */
@NullMarked
package io.tidemark.ledger.query.plan;

import org.jspecify.annotations.NullMarked;
