// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.ledger.internal.duckdb.ParquetRowSource;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeId;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Ledger as of one commit, as far as statements need it. What they don't name isn't looked at.
 *
 * @param state what the tables of types show
 * @param history what those of their histories show
 * @param commits all up to that commit, the newest first
 */
public record SqlSource(
    Collection<TypeId> types,
    Function<TypeId, TypeView> views,
    ParquetRowSource relations,
    Window state,
    Window history,
    Supplier<Stream<Manifest>> commits) {}
