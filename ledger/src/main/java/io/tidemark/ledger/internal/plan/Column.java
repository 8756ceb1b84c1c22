// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.util.List;

/** Place where the value of an operand is found. */
public sealed interface Column {

  /** Returns the row that the value is in. */
  Side side();

  /**
   * Value in a column of its own, beside the payload. A value that isn't of its type isn't there.
   */
  record Typed(Side side, String name, Scalar scalar) implements Column {}

  /**
   * Value in the payload only.
   *
   * @param path empty for the item of a list
   */
  record Json(Side side, List<String> path) implements Column {
    public Json {
      path = List.copyOf(path);
    }
  }

  /** Value beside the payload, in a column that all rows of the kind have. */
  record Meta(Side side, MetaField field) implements Column {}
}
