// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds the documents of the catalog to each other and to the chain. Readers need only part of
 * them, so damage to the rest would be noticed late, or by another program.
 */
record CatalogCheck(LedgerObjects objects, Chain chain, Catalog catalog, TypeList list) {

  List<Catalog.Finding> run(Base base) {
    List<Catalog.Finding> findings = new ArrayList<>();
    Set<TypeId> types = new TreeSet<>();
    for (TypeId type : list.listed()) {
      if (!types.add(type)) {
        findings.add(Catalog.Finding.stale(Layout.TYPES, "lists " + type + " twice"));
      }
    }
    Map<TypeId, Set<Long>> used = used(base, types);
    Seen seen = new Seen(new TreeMap<>(), new HashSet<>(), new HashSet<>());
    for (TypeId type : types) {
      try {
        Optional<SchemaVersion> registered = catalog.registered(type, base);
        if (registered.isPresent()) {
          findings.add(Catalog.Finding.stale(Layout.versions(type), "is missing"));
          seen.current().put(type, registered.get());
          continue;
        }
        Catalog.Found found = catalog.found(type, base);
        if (found.isBehind()) {
          findings.add(Catalog.Finding.stale(Layout.versions(type), "is behind the commits"));
        }
        versions(type, found.versions(), used.getOrDefault(type, Set.of()), findings);
        seen.add(type, found);
      } catch (CorruptLedgerException e) {
        seen.damaged().add(type);
        findings.add(Catalog.Finding.of(e));
      }
    }
    try {
      registry(seen, findings);
    } catch (CorruptLedgerException e) {
      findings.add(Catalog.Finding.of(e));
    }
    return findings;
  }

  /**
   * What the versions of the types say.
   *
   * @param current the last of each
   * @param lost types that have none, and should
   * @param damaged types whose versions make no sense
   */
  private record Seen(
      SortedMap<TypeId, SchemaVersion> current, Set<TypeId> lost, Set<TypeId> damaged) {

    void add(TypeId type, Catalog.Found found) {
      if (found.lost()) {
        lost.add(type);
      } else if (!found.versions().isEmpty()) {
        current.put(type, found.versions().get(found.versions().size() - 1));
      }
    }
  }

  /** The versions that rows of each type were written with, since it was dropped last. */
  private Map<TypeId, Set<Long>> used(Base base, Set<TypeId> types) {
    Map<TypeId, Set<Long>> used = new HashMap<>();
    Set<TypeId> left = new HashSet<>(types);
    Optional<Manifest> next = base.newest();
    while (next.isPresent() && !left.isEmpty()) {
      Manifest manifest = next.get();
      left.removeIf(manifest::drops);
      for (DataFile file : manifest.files()) {
        if (left.contains(file.type())) {
          used.computeIfAbsent(file.type(), type -> new HashSet<>()).add(file.schemaVersionId());
        }
      }
      next = chain.parent(manifest);
    }
    return used;
  }

  private void versions(
      TypeId type, List<SchemaVersion> versions, Set<Long> used, List<Catalog.Finding> findings) {
    for (long id : new TreeSet<>(used)) {
      if (id > 0 && versions.stream().noneMatch(version -> version.id() == id)) {
        findings.add(
            Catalog.Finding.damage(
                Layout.versions(type), "lacks version " + id + ", which rows were written with"));
      }
    }
  }

  private void registry(Seen seen, List<Catalog.Finding> findings) {
    Optional<LedgerObjects.Document> found = objects.read(Layout.REGISTRY);
    if (found.isEmpty()) {
      findings.add(Catalog.Finding.stale(Layout.REGISTRY, "is missing"));
      return;
    }
    Map<TypeId, JsonNode> registered = list.registered(found.get().json());
    seen.current()
        .forEach(
            (type, version) -> {
              if (!registered.containsKey(type)) {
                findings.add(Catalog.Finding.stale(Layout.REGISTRY, "doesn't have " + type));
              } else if (!catalog.tree(version).equals(registered.get(type))) {
                findings.add(
                    Catalog.Finding.stale(
                        Layout.REGISTRY,
                        "has another schema of " + type + " than " + Layout.versions(type)));
              }
            });
    for (TypeId type : registered.keySet()) {
      if (seen.lost().contains(type)) {
        findings.add(Catalog.Finding.lost(type));
      } else if (!seen.current().containsKey(type) && !seen.damaged().contains(type)) {
        findings.add(
            Catalog.Finding.stale(Layout.REGISTRY, "has " + type + ", which has no versions"));
      }
    }
  }
}
