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
 * The types of two branches, one of which is to take in the other.
 *
 * @param target the catalog of the branch that takes in
 * @param source the catalog of the other
 */
public record CatalogMerge(Catalog target, Catalog source) {

  /** A type's schema on the branch that is taken in; empty when it has no such type. */
  public Optional<TypeSchema> sourceSchema(TypeId type, PinnedHead at) {
    return source.historyUpTo(type, at).stream()
        .reduce((earlier, later) -> later)
        .map(last -> StoredSchema.parse(last.schemaJson()).schema());
  }

  /** A type's current version on the branch that takes in; empty when it has no such type. */
  public Optional<SchemaVersion> targetVersion(TypeId type, PinnedHead at) {
    return target.current(type, at);
  }

  /** How the schemas of a type differ; empty when they don't, or only one branch has the type. */
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
   * Types with a schema that the source never had. A target that is to go on from the source's head
   * can't keep them; it can only have declared them, since it has no commit of its own.
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

  /** Types that the source has and the target hasn't. */
  public List<TypeId> missing(PinnedHead targetAt, PinnedHead sourceAt) {
    return source.types(sourceAt).stream()
        .filter(type -> !source.historyUpTo(type, sourceAt).isEmpty())
        .filter(type -> target.history(type, targetAt).isEmpty())
        .toList();
  }

  /** Enters these types as the source has them, under the lock of the target. */
  public void register(List<TypeId> types, PinnedHead sourceAt) {
    types.forEach(type -> target.enter(type, source.historyUpTo(type, sourceAt)));
  }

  /**
   * What the source has that documents of the target are to follow. It is read before the head
   * moves: the source may be elsewhere, and gone by then.
   *
   * @param histories of its types
   * @param former what it remembers of types that were dropped
   */
  public record SourceTypes(
      Map<TypeId, List<SchemaVersion>> histories, Map<TypeId, List<SchemaVersion>> former) {}

  /** Reads that. */
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
   * Makes the documents of the target follow, after its head has moved to that of the source: what
   * was migrated and what was dropped.
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
