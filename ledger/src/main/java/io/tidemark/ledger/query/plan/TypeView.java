// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.ledger.parquet.TypedColumns;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A type as a query sees it.
 *
 * @param versionId which version of the schema it is
 * @param typed the fields that have a column of their own
 */
public record TypeView(TypeSchema schema, long versionId, SortedMap<String, Scalar> typed) {

  private static final long ABSENT = -1;

  /** An entity's schema needs a key field. */
  private static final String ABSENT_KEY = "key";

  public static TypeView of(TypeSchema schema, long versionId) {
    return new TypeView(schema, versionId, TypedColumns.of(schema));
  }

  /**
   * Returns the view of a type that the ledger doesn't have. It has no rows and no declared fields,
   * so any path may be asked for and finds nothing.
   */
  public static TypeView absent(TypeId type) {
    IdentityRule identity =
        type.kind() == Kind.ENTITY
            ? new IdentityRule.KeyField(ABSENT_KEY)
            : new IdentityRule.Endpoints(type.name(), type.name(), Optional.empty());
    SortedMap<String, Field> fields = new TreeMap<>();
    if (type.kind() == Kind.ENTITY) {
      fields.put(ABSENT_KEY, Field.of(Scalar.STRING));
    }
    return new TypeView(new TypeSchema(type, fields, identity), ABSENT, new TreeMap<>());
  }

  /** Whether the ledger has no such type and no schema declares it. */
  public boolean isAbsent() {
    return versionId == ABSENT;
  }

  public TypeId id() {
    return schema.id();
  }
}
