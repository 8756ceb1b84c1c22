// SPDX-License-Identifier: Apache-2.0
/**
 * A query that was checked against the schemas of a ledger and pinned to a commit, and what its
 * values mean.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.plan.QueryPlan}, which an {@link
 * io.tidemark.ledger.internal.plan.QueryExecutor} answers. {@link
 * io.tidemark.ledger.internal.plan.Binding} finds what paths lead to, and {@link
 * io.tidemark.ledger.internal.plan.Cell} is a value as conditions see it: the one place that says
 * what two values are to each other.
 */
@NullMarked
package io.tidemark.ledger.internal.plan;

import org.jspecify.annotations.NullMarked;
