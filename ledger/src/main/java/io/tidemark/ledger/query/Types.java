// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.catalog.Catalog;
import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.query.plan.TypeView;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.SchemaVersion;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The types of a ledger as of a head. What is known of one is kept for as long as manifests say
 * that its version is the same and it wasn't dropped, so that a query needn't ask for it again.
 */
final class Types {

  private final Catalog catalog;
  private final Map<TypeId, Known> known = new ConcurrentHashMap<>();

  Types(Catalog catalog) {
    this.catalog = catalog;
  }

  private record Known(Optional<String> epoch, long floor, TypeView view) {}

  /** The current version of a type; empty when there is no such type. */
  Optional<TypeView> view(TypeId type, Base base) {
    Optional<Long> version =
        base.newest()
            .flatMap(Manifest::typeVersions)
            .flatMap(versions -> Optional.ofNullable(versions.get(type)));
    long floor =
        base.newest()
            .flatMap(Manifest::typeFloors)
            .map(floors -> floors.getOrDefault(type, 0L))
            .orElse(0L);
    Known before = known.get(type);
    if (before != null
        && before.epoch().equals(base.head().epoch())
        && before.floor() == floor
        && version.filter(id -> id == before.view().versionId()).isPresent()) {
      return Optional.of(before.view());
    }
    Optional<TypeView> view = catalog.current(type, base).map(Types::view);
    view.ifPresent(found -> known.put(type, new Known(base.head().epoch(), floor, found)));
    return view;
  }

  private static TypeView view(SchemaVersion version) {
    return TypeView.of(StoredSchema.parse(version.schemaJson()).schema(), version.id());
  }

  /** All there are. */
  SortedSet<TypeId> all(Base base) {
    return catalog.types(base);
  }

  /** All there are, for people. */
  String all() {
    return catalog.types().toString();
  }
}
