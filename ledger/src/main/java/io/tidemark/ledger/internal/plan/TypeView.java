// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.internal.parquet.TypedColumns;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.PayloadProjection;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A type as a query sees it: the version of its schema that rows are shown in.
 *
 * @param versionId which version of the schema it is
 * @param typed the fields that have a column of their own
 * @param others how rows of other versions are shown in this one; versions whose payloads stay as
 *     they are aren't among them
 * @param tag names the versions and how they are shown; empty when there are no others
 */
public record TypeView(
    TypeSchema schema,
    long versionId,
    SortedMap<String, Scalar> typed,
    SortedMap<Long, PayloadProjection> others,
    String tag) {

  private static final long ABSENT = -1;

  /** An entity's schema needs a key field. */
  private static final String ABSENT_KEY = "key";

  public TypeView {
    others = Collections.unmodifiableSortedMap(new TreeMap<>(others));
  }

  /** Returns the view of a type with one version of its schema. */
  public static TypeView of(TypeSchema schema, long versionId) {
    return of(schema, versionId, Collections.emptySortedMap());
  }

  /** Returns the view of a type with rows of other versions of its schema. */
  public static TypeView of(
      TypeSchema schema, long versionId, SortedMap<Long, PayloadProjection> others) {
    return new TypeView(schema, versionId, TypedColumns.of(schema), others, tag(versionId, others));
  }

  private static String tag(long versionId, SortedMap<Long, PayloadProjection> others) {
    if (others.isEmpty()) {
      return "";
    }
    byte[] told = (versionId + " " + others).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(told).toString();
  }

  /**
   * Returns the view of a type that the ledger doesn't have. It has no rows and no declared fields,
   * so any path may be asked for and finds nothing.
   */
  public static TypeView absent(TypeId type) {
    IdentityRule identity =
        type.kind() == TypeKind.ENTITY
            ? new IdentityRule.KeyField(ABSENT_KEY)
            : new IdentityRule.Endpoints(type.name(), type.name(), Optional.empty());
    SortedMap<String, Field> fields = new TreeMap<>();
    if (type.kind() == TypeKind.ENTITY) {
      fields.put(ABSENT_KEY, Field.of(Scalar.STRING));
    }
    return new TypeView(
        new TypeSchema(type, fields, identity), ABSENT, new TreeMap<>(), new TreeMap<>(), "");
  }

  /** Returns whether the ledger has no such type and no schema declares it. */
  public boolean isAbsent() {
    return versionId == ABSENT;
  }

  public TypeId id() {
    return schema.id();
  }

  /** Returns a row with its payload in the fields of this version. */
  public Row project(Row row) {
    PayloadProjection projection = others.get(row.schemaVersionId());
    return projection == null
        ? row
        : new Row(
            row.commitId(),
            row.identity(),
            row.schemaVersionId(),
            projection.apply(row.fieldsJson()));
  }
}
