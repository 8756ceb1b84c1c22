// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** List of a ledger's types, from which readers learn the existing types. */
record TypeList(LedgerObjects objects) {

  /**
   * Returns every type of the ledger.
   *
   * @throws io.tidemark.ledger.store.CorruptLedgerException when the list is missing or invalid
   */
  SortedSet<TypeId> read() {
    return new TreeSet<>(listed());
  }

  /** Returns the types as they are listed, possibly with duplicates. */
  List<TypeId> listed() {
    ObjectNode json =
        objects
            .read(LedgerLayout.TYPES)
            .orElseThrow(() -> objects.corrupt(LedgerLayout.TYPES, "is missing"))
            .json();
    List<TypeId> types = new ArrayList<>();
    for (TypeKind typeKind : TypeKind.values()) {
      if (!json.path(typeKind.plural()).isArray()) {
        throw objects.corrupt(LedgerLayout.TYPES, "has no list of " + typeKind.plural());
      }
      names(json, typeKind).forEach(name -> types.add(named(LedgerLayout.TYPES, typeKind, name)));
    }
    return types;
  }

  private List<String> names(ObjectNode json, TypeKind typeKind) {
    List<String> names = new ArrayList<>();
    for (JsonNode name : json.path(typeKind.plural())) {
      if (!name.isTextual()) {
        throw objects.corrupt(LedgerLayout.TYPES, "lists " + name + ", which is no name of a type");
      }
      names.add(name.textValue());
    }
    return names;
  }

  private TypeId named(String path, TypeKind typeKind, String name) {
    try {
      return new TypeId(typeKind, name);
    } catch (InvalidSchemaException e) {
      throw objects.corrupt(path, "lists what is no type: " + e.getMessage());
    }
  }

  /** Adds types to the list; all registered ones, when the list was lost. */
  void add(Collection<TypeId> types) {
    JsonDocumentEditor.of(objects, LedgerLayout.TYPES)
        .apply(
            json -> {
              if (json.isEmpty()) {
                registered().forEach(type -> list(json, type, true));
              }
              types.forEach(type -> list(json, type, true));
            });
  }

  /** Removes a type from the list. */
  void remove(TypeId type) {
    JsonDocumentEditor.of(objects, LedgerLayout.TYPES).apply(json -> list(json, type, false));
  }

  private Set<TypeId> registered() {
    return registered(
            objects
                .read(LedgerLayout.REGISTRY)
                .map(LedgerObjects.Document::json)
                .orElse(CanonicalJson.object()))
        .keySet();
  }

  /** Returns the schemas that a registry has. */
  SortedMap<TypeId, JsonNode> registered(ObjectNode registry) {
    SortedMap<TypeId, JsonNode> schemas = new TreeMap<>();
    for (TypeKind typeKind : TypeKind.values()) {
      section(registry, typeKind)
          .properties()
          .forEach(
              each ->
                  schemas.put(
                      named(LedgerLayout.REGISTRY, typeKind, each.getKey()), each.getValue()));
    }
    return schemas;
  }

  /** Returns the types of a kind in a registry, as a mutable part of it. */
  ObjectNode section(ObjectNode registry, TypeKind typeKind) {
    JsonNode section = registry.path(typeKind.singular());
    if (!section.isMissingNode() && !section.isObject()) {
      throw objects.corrupt(LedgerLayout.REGISTRY, "has no types as " + typeKind.singular());
    }
    return registry.withObject("/" + typeKind.singular());
  }

  private void list(ObjectNode json, TypeId type, boolean there) {
    for (TypeKind typeKind : TypeKind.values()) {
      TreeSet<String> names = new TreeSet<>(CanonicalJson.ORDER);
      names.addAll(names(json, typeKind));
      if (typeKind == type.kind() && there) {
        names.add(type.name());
      } else if (typeKind == type.kind()) {
        names.remove(type.name());
      }
      ArrayNode list = json.putArray(typeKind.plural());
      names.forEach(list::add);
    }
  }
}
