// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.ledger.parquet.TypedColumns;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.SortedMap;

/**
 * A type as a query sees it.
 *
 * @param versionId which version of the schema it is
 * @param typed the fields that have a column of their own
 */
public record TypeView(TypeSchema schema, long versionId, SortedMap<String, Scalar> typed) {

  public static TypeView of(TypeSchema schema, long versionId) {
    return new TypeView(schema, versionId, TypedColumns.of(schema));
  }

  public TypeId id() {
    return schema.id();
  }
}
