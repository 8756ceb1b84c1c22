// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.ledger.Row;
import java.util.Optional;

/**
 * A row that a query found.
 *
 * @param left the entity at the left end, when ends were asked for and it exists
 * @param right the same of the right end
 */
public record Found(Row row, Optional<Row> left, Optional<Row> right) {}
