// SPDX-License-Identifier: Apache-2.0
/**
 * Queries of a ledger, in any of its past states.
 *
 * <p>Start with {@link io.tidemark.ledger.query.Queries}, which {@code ledger.query()} gives:
 *
 * <pre>{@code
 * ledger.query().entities(Customer.class)
 *     .where(field("tier").eq("Gold").and(field("age").gt(30)))
 *     .asOf(17).orderBy("age").limit(10).list();
 * }</pre>
 *
 * <p>The packages below are the model of a query ({@code model}), its meaning in a ledger ({@code
 * plan}), two ways to answer it ({@code scan}, {@code duckdb}), and the syntax of conditions
 * ({@code text}).
 */
@NullMarked
package io.tidemark.ledger.query;

import org.jspecify.annotations.NullMarked;
