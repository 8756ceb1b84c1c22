// SPDX-License-Identifier: Apache-2.0
/**
 * Questions to a ledger about any of its past states.
 *
 * <p>Start with {@link io.tidemark.ledger.query.Queries}, which {@code ledger.query()} gives:
 *
 * <pre>{@code
 * ledger.query().entities(Customer.class)
 *     .where(field("tier").eq("Gold").and(field("age").gt(30)))
 *     .asOf(17).orderBy("age").limit(10).list();
 * }</pre>
 *
 * <p>The packages below are what a query says ({@code model}), what it means in a ledger ({@code
 * plan}), two ways to answer it ({@code scan}, {@code duckdb}), and how people write conditions
 * ({@code text}).
 */
@NullMarked
package io.tidemark.ledger.query;

import org.jspecify.annotations.NullMarked;
