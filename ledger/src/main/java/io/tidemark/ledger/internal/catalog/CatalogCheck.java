// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
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
 * Check of the catalog's documents against each other and against the chain. Readers need only part
 * of them, so damage to the rest would be noticed late, or by another program.
 */
record CatalogCheck(LedgerObjects objects, ManifestChain chain, Catalog catalog, TypeList list) {

  List<Catalog.Finding> run(PinnedHead pinnedHead) {
    List<Catalog.Finding> findings = new ArrayList<>();
    Set<TypeId> types = new TreeSet<>();
    for (TypeId type : list.listed()) {
      if (!types.add(type)) {
        findings.add(Catalog.Finding.stale(LedgerLayout.TYPES, "lists " + type + " twice"));
      }
    }
    Map<TypeId, Set<Long>> used = used(pinnedHead, types);
    ObservedTypes observedTypes =
        new ObservedTypes(new TreeMap<>(), new HashSet<>(), new HashSet<>());
    for (TypeId type : types) {
      try {
        Optional<SchemaVersion> registered = catalog.registered(type, pinnedHead);
        if (registered.isPresent()) {
          findings.add(Catalog.Finding.stale(LedgerLayout.versions(type), "is missing"));
          observedTypes.current().put(type, registered.get());
          continue;
        }
        Catalog.TypeHistory typeHistory = catalog.lookUp(type, pinnedHead);
        if (typeHistory.isBehind()) {
          findings.add(Catalog.Finding.stale(LedgerLayout.versions(type), "is behind the commits"));
        }
        versions(type, typeHistory.versions(), used.getOrDefault(type, Set.of()), findings);
        observedTypes.add(type, typeHistory);
      } catch (CorruptLedgerException e) {
        observedTypes.damaged().add(type);
        findings.add(Catalog.Finding.of(e));
      }
    }
    try {
      registry(observedTypes, findings);
    } catch (CorruptLedgerException e) {
      findings.add(Catalog.Finding.of(e));
    }
    return findings;
  }

  /**
   * Types by the documents of their versions.
   *
   * @param current the last version of each type
   * @param lost types that have no version, and should
   * @param damaged types whose versions are invalid
   */
  private record ObservedTypes(
      SortedMap<TypeId, SchemaVersion> current, Set<TypeId> lost, Set<TypeId> damaged) {

    void add(TypeId type, Catalog.TypeHistory typeHistory) {
      if (typeHistory.lost()) {
        lost.add(type);
      } else if (!typeHistory.versions().isEmpty()) {
        current.put(type, typeHistory.versions().get(typeHistory.versions().size() - 1));
      }
    }
  }

  /** Returns the versions that rows of each type were written with, since its last drop. */
  private Map<TypeId, Set<Long>> used(PinnedHead pinnedHead, Set<TypeId> types) {
    Map<TypeId, Set<Long>> used = new HashMap<>();
    Set<TypeId> left = new HashSet<>(types);
    Optional<Manifest> next = pinnedHead.newest();
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
                LedgerLayout.versions(type),
                "lacks version " + id + ", which rows were written with"));
      }
    }
  }

  private void registry(ObservedTypes observedTypes, List<Catalog.Finding> findings) {
    Optional<LedgerObjects.Document> found = objects.read(LedgerLayout.REGISTRY);
    if (found.isEmpty()) {
      findings.add(Catalog.Finding.stale(LedgerLayout.REGISTRY, "is missing"));
      return;
    }
    Map<TypeId, JsonNode> registered = list.registered(found.get().json());
    observedTypes
        .current()
        .forEach(
            (type, version) -> {
              if (!registered.containsKey(type)) {
                findings.add(Catalog.Finding.stale(LedgerLayout.REGISTRY, "doesn't have " + type));
              } else if (!catalog.tree(version).equals(registered.get(type))) {
                findings.add(
                    Catalog.Finding.stale(
                        LedgerLayout.REGISTRY,
                        "has another schema of " + type + " than " + LedgerLayout.versions(type)));
              }
            });
    for (TypeId type : registered.keySet()) {
      if (observedTypes.lost().contains(type)) {
        findings.add(Catalog.Finding.lost(type));
      } else if (!observedTypes.current().containsKey(type)
          && !observedTypes.damaged().contains(type)) {
        findings.add(
            Catalog.Finding.stale(
                LedgerLayout.REGISTRY, "has " + type + ", which has no versions"));
      }
    }
  }
}
