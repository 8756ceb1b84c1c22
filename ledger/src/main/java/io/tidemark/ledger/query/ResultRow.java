// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import java.util.Optional;

/**
 * Row that a query found.
 *
 * @param value a record, or the payload as JSON
 * @param left the entity at the left end of a relation, when ends were asked for and it exists
 * @param right the entity at the right end, likewise
 */
public record ResultRow<T>(
    T value, RowMetadata meta, Optional<RelationEnd> left, Optional<RelationEnd> right) {}
