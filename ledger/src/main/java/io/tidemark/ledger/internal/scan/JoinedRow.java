// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import io.tidemark.ledger.query.model.Side;
import org.jspecify.annotations.Nullable;

/**
 * Row together with the rows at its ends.
 *
 * @param left null when there is no such entity, or the query doesn't need it
 * @param right as {@code left}, for the right end
 */
record JoinedRow(LazyRow self, @Nullable LazyRow left, @Nullable LazyRow right) {

  @Nullable LazyRow at(Side side) {
    return switch (side) {
      case SELF -> self;
      case LEFT -> left;
      case RIGHT -> right;
    };
  }
}
