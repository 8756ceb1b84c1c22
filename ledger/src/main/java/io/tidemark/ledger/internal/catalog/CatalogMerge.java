// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Merge of the types of two branches.
 *
 * @param target the catalog of the target branch
 * @param source the catalog of the source branch
 */
public record CatalogMerge(Catalog target, Catalog source) {

  /** Returns a type's schema on the source branch, or empty if it has no such type. */
  public Optional<TypeSchema> sourceSchema(TypeId type, PinnedHead at) {
    return source.historyUpTo(type, at).stream()
        .reduce((earlier, later) -> later)
        .map(last -> StoredSchema.parse(last.schemaJson()).schema());
  }

  /** Returns a type's current version on the target branch, or empty if it has no such type. */
  public Optional<SchemaVersion> targetVersion(TypeId type, PinnedHead at) {
    return target.current(type, at);
  }

  /**
   * Returns the difference of a type's schemas, or empty if they are equal or only one branch has
   * the type.
   */
  public Optional<SchemaDiff> diff(TypeId type, PinnedHead targetAt, PinnedHead sourceAt) {
    Optional<SchemaVersion> ours = target.current(type, targetAt);
    Optional<TypeSchema> theirs = sourceSchema(type, sourceAt);
    if (ours.isEmpty() || theirs.isEmpty()) {
      return Optional.empty();
    }
    TypeSchema mine = StoredSchema.parse(ours.get().schemaJson()).schema();
    return Optional.of(SchemaDiff.between(mine, ours.get().id(), theirs.get()))
        .filter(diff -> !diff.isEmpty());
  }

  /**
   * Returns types with a schema that the source never had. A target that is fast-forwarded to the
   * source's head can't keep them; it can only have declared them, since it has no commit of its
   * own.
   */
  public List<TypeId> contradictions(PinnedHead targetAt, PinnedHead sourceAt) {
    List<TypeId> types = new ArrayList<>();
    for (TypeId type : target.types(targetAt)) {
      Optional<SchemaVersion> ours = target.current(type, targetAt);
      List<SchemaVersion> theirs = source.historyUpTo(type, sourceAt);
      boolean known =
          ours.isEmpty()
              || theirs.isEmpty()
              || theirs.stream().anyMatch(v -> v.hash().equals(ours.get().hash()));
      if (!known) {
        types.add(type);
      }
    }
    return types;
  }

  /** Returns types that the source has and the target hasn't. */
  public List<TypeId> missing(PinnedHead targetAt, PinnedHead sourceAt) {
    return source.types(sourceAt).stream()
        .filter(type -> !source.historyUpTo(type, sourceAt).isEmpty())
        .filter(type -> target.history(type, targetAt).isEmpty())
        .toList();
  }

  /** Registers these types as the source has them, under the lock of the target. */
  public void register(List<TypeId> types, PinnedHead sourceAt) {
    types.forEach(type -> target.enter(type, source.historyUpTo(type, sourceAt)));
  }

  /**
   * Types of the source that the documents of the target are to follow. They are read before the
   * head moves: the source may be in another store, and gone by then.
   *
   * @param histories histories of its types
   * @param former former versions of its dropped types
   */
  public record SourceTypes(
      Map<TypeId, List<SchemaVersion>> histories, Map<TypeId, List<SchemaVersion>> former) {}

  /** Reads the types of the source. */
  public SourceTypes sourceTypes(PinnedHead sourceAt) {
    Map<TypeId, List<SchemaVersion>> histories = new TreeMap<>();
    for (TypeId type : source.types(sourceAt)) {
      histories.put(type, source.historyUpTo(type, sourceAt));
    }
    Map<TypeId, List<SchemaVersion>> former = new TreeMap<>();
    sourceAt
        .newest()
        .ifPresent(
            newest ->
                newest
                    .typesWhere(type -> type.floor() > 0)
                    .forEach(type -> former.put(type, source.formerVersions(type))));
    return new SourceTypes(histories, former);
  }

  /**
   * Updates the documents of the target, after its head has moved to that of the source, with
   * migrations and drops.
   */
  public void updateDocuments(PinnedHead moved, SourceTypes sourceTypes) {
    sourceTypes
        .histories()
        .forEach(
            (type, theirs) -> {
              if (!theirs.isEmpty() && !target.lookUp(type, moved).stored().equals(theirs)) {
                target.applyCommit(Map.of(type, theirs));
              }
            });
    target.applyDrops(moved);
    sourceTypes.former().forEach(target::addFormerVersions);
  }
}
