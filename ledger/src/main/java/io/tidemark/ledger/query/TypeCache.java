// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.FieldLineage;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.internal.store.TypeSummary;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cache of the types of a ledger as of a head. An entry is kept for as long as manifests name the
 * same version and the type wasn't dropped, so that a query needn't read it again.
 */
final class TypeCache {

  private final Catalog catalog;
  private final Map<TypeId, CachedType> known = new ConcurrentHashMap<>();

  TypeCache(Catalog catalog) {
    this.catalog = catalog;
  }

  private record CachedType(Optional<String> epoch, long floor, TypeView view) {}

  /** Returns the current version of a type, or empty if there is no such type. */
  Optional<TypeView> view(TypeId type, PinnedHead pinnedHead) {
    TypeSummary summary = pinnedHead.type(type);
    CachedType before = known.get(type);
    if (before != null
        && before.epoch().equals(pinnedHead.head().epoch())
        && before.floor() == summary.floor()
        && before.view().versionId() == summary.version()) {
      return Optional.of(before.view());
    }
    List<SchemaVersion> versions = catalog.history(type, pinnedHead);
    Optional<TypeView> view =
        versions.isEmpty()
            ? Optional.empty()
            : Optional.of(view(versions, versions.get(versions.size() - 1)));
    view.ifPresent(
        found ->
            known.put(type, new CachedType(pinnedHead.head().epoch(), summary.floor(), found)));
    return view;
  }

  /**
   * Returns the version of a type that a query uses, or empty if there is no such type.
   *
   * @param schemaOf the commit whose schemas are used; empty for the current ones
   */
  Optional<TypeView> view(TypeId type, PinnedHead pinnedHead, OptionalLong schemaOf) {
    if (schemaOf.isEmpty()) {
      return view(type, pinnedHead);
    }
    List<SchemaVersion> versions = catalog.history(type, pinnedHead);
    if (versions.isEmpty()) {
      return Optional.empty();
    }
    SchemaVersion then =
        catalog
            .versionAt(type, versions, pinnedHead, schemaOf.getAsLong())
            .orElseThrow(
                () ->
                    new InvalidQueryException(
                        type
                            + " of commit "
                            + schemaOf.getAsLong()
                            + " was dropped later, and the one of now is another type; name a"
                            + " commit after the drop"));
    return Optional.of(view(versions, then));
  }

  private static TypeView view(List<SchemaVersion> versions, SchemaVersion shown) {
    TypeSchema schema = StoredSchema.parse(shown.schemaJson()).schema();
    return versions.size() == 1
        ? TypeView.of(schema, shown.id())
        : TypeView.of(schema, shown.id(), new FieldLineage(versions).projectionsTo(shown));
  }

  /** Returns all types. */
  SortedSet<TypeId> all(PinnedHead pinnedHead) {
    return catalog.types(pinnedHead);
  }

  /** Returns all types as text for messages. */
  String all() {
    return catalog.types().toString();
  }
}
