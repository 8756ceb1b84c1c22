// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.catalog.FieldLineage;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.PayloadProjection;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Version of a type's schema in which rows of two states are compared. Counts the rows that were
 * written in another one. For use by one thread.
 */
final class ComparisonSchema {

  private final TypeId type;
  private final long version;
  private final Map<Long, PayloadProjection> before;
  private final Map<Long, PayloadProjection> after;
  private final SortedMap<Long, Long> rows = new TreeMap<>();

  private ComparisonSchema(
      TypeId type,
      long version,
      Map<Long, PayloadProjection> before,
      Map<Long, PayloadProjection> after) {
    this.type = type;
    this.version = version;
    this.before = before;
    this.after = after;
  }

  /** Returns the schema that compares rows as they were written. */
  static ComparisonSchema asWritten(TypeId type) {
    return new ComparisonSchema(type, 0, Map.of(), Map.of());
  }

  /**
   * Compares rows in a version that the branch of the second state has, or the branch of the first
   * one if only that has the type. A type that was dropped is compared as it was written.
   *
   * @param schemaOf the commit of that branch whose schema is meant; empty for the current one
   */
  static ComparisonSchema of(TypeId type, CommitState from, CommitState to, OptionalLong schemaOf) {
    List<SchemaVersion> ours = from.versions(type);
    List<SchemaVersion> theirs = to.versions(type);
    CommitState owner = theirs.isEmpty() ? from : to;
    List<SchemaVersion> versions = theirs.isEmpty() ? ours : theirs;
    return owner
        .version(type, versions, schemaOf)
        .map(
            shown -> {
              FieldLineage lineage = new FieldLineage(versions);
              return new ComparisonSchema(
                  type,
                  shown.id(),
                  lineage.projectionsTo(shown, new FieldLineage(ours)),
                  lineage.projectionsTo(shown, new FieldLineage(theirs)));
            })
        .orElseGet(() -> asWritten(type));
  }

  /**
   * Returns the difference of a row in two states, of which at least one has it, or empty if it is
   * equal.
   */
  Optional<Difference> difference(Optional<Row> old, Optional<Row> row) {
    Optional<Row> first = old.map(found -> project(found, before));
    Optional<Row> second = row.map(found -> project(found, after));
    if (first.isPresent()
        && second.isPresent()
        && PayloadComparison.equalByValue(first.get(), second.get())) {
      return Optional.empty();
    }
    Identity identity = first.or(() -> second).orElseThrow().identity();
    return Optional.of(new Difference(type, identity, first, second));
  }

  private Row project(Row row, Map<Long, PayloadProjection> projections) {
    PayloadProjection projection = projections.get(row.schemaVersionId());
    if (projection == null) {
      return row;
    }
    rows.merge(row.schemaVersionId(), 1L, Long::sum);
    return new Row(
        row.commitId(), row.identity(), row.schemaVersionId(), projection.apply(row.fieldsJson()));
  }

  /**
   * Returns the count of the rows so far that were written in another version, or empty if there
   * were none.
   */
  Optional<VersionMix> mix() {
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Map<Long, PayloadProjection> projections = new HashMap<>(before);
    projections.putAll(after); // the branches may differ in the meaning of a version number
    return Optional.of(VersionMix.of(type, version, rows, projections));
  }
}
