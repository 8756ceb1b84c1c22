// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Layout;
import io.tidemark.ledger.store.LedgerObjects;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The list of a ledger's types, by which readers know what there is. */
record TypeList(LedgerObjects objects) {

  /**
   * Every type of the ledger.
   *
   * @throws io.tidemark.ledger.store.CorruptLedgerException when the list isn't there or is no list
   */
  SortedSet<TypeId> read() {
    ObjectNode json =
        objects
            .read(Layout.TYPES)
            .orElseThrow(() -> objects.corrupt(Layout.TYPES, "is missing"))
            .json();
    SortedSet<TypeId> types = new TreeSet<>();
    for (Kind kind : Kind.values()) {
      JsonNode names = json.path(kind.plural());
      if (!names.isArray()) {
        throw objects.corrupt(Layout.TYPES, "has no list of " + kind.plural());
      }
      names.forEach(name -> types.add(named(Layout.TYPES, kind, name.asText())));
    }
    return types;
  }

  private TypeId named(String path, Kind kind, String name) {
    try {
      return new TypeId(kind, name);
    } catch (InvalidSchemaException e) {
      throw objects.corrupt(path, "lists what is no type: " + e.getMessage());
    }
  }

  /** Lists types; all that are registered, when the list was lost. */
  void add(Collection<TypeId> types) {
    JsonEdit.of(objects, Layout.TYPES)
        .apply(
            json -> {
              if (json.isEmpty()) {
                registered().forEach(type -> list(json, type, true));
              }
              types.forEach(type -> list(json, type, true));
            });
  }

  /** Lists a type no more. */
  void remove(TypeId type) {
    JsonEdit.of(objects, Layout.TYPES).apply(json -> list(json, type, false));
  }

  private SortedSet<TypeId> registered() {
    SortedSet<TypeId> types = new TreeSet<>();
    Optional<LedgerObjects.Document> registry = objects.read(Layout.REGISTRY);
    for (Kind kind : Kind.values()) {
      registry.ifPresent(
          found ->
              found
                  .json()
                  .path(kind.singular())
                  .fieldNames()
                  .forEachRemaining(name -> types.add(named(Layout.REGISTRY, kind, name))));
    }
    return types;
  }

  private static void list(ObjectNode json, TypeId type, boolean there) {
    for (Kind kind : Kind.values()) {
      TreeSet<String> names = new TreeSet<>(CanonicalJson.ORDER);
      json.path(kind.plural()).forEach(name -> names.add(name.asText()));
      if (kind == type.kind() && there) {
        names.add(type.name());
      } else if (kind == type.kind()) {
        names.remove(type.name());
      }
      ArrayNode list = json.putArray(kind.plural());
      names.forEach(list::add);
    }
  }
}
