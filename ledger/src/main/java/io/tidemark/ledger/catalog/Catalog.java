// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.DataFile;
import io.tidemark.ledger.store.Layout;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.SchemaVersion;
import io.tidemark.objects.UtcTimestamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The documents that say which types there are: the list of types, the registry of their current
 * schemas, a history of versions for each, and what was dropped.
 *
 * <p>A type enters them when it is first declared, under the ledger's lock. A change of its schema,
 * or its end, is a commit: the manifest says it, and these documents follow. So a crash between the
 * two loses nothing; whoever looks next takes the version from the chain, and a writer that does so
 * makes the documents good.
 */
public final class Catalog {

  private final LedgerObjects objects;
  private final Chain chain;

  public Catalog(LedgerObjects objects, Chain chain) {
    this.objects = objects;
    this.chain = chain;
  }

  /** The current version of a type's schema; empty when there is no such type. */
  public Optional<SchemaVersion> current(TypeId type, Base base) {
    List<SchemaVersion> versions = history(type, base);
    return versions.isEmpty() ? Optional.empty() : Optional.of(versions.get(versions.size() - 1));
  }

  /**
   * Every version of a type's schema since it was declared, or declared again, the oldest first.
   */
  public List<SchemaVersion> history(TypeId type, Base base) {
    return found(type, base).versions();
  }

  /**
   * What is known of a type.
   *
   * @param versions as they are by the chain
   * @param stored as the documents have them, which may be behind
   */
  record Found(List<SchemaVersion> versions, List<SchemaVersion> stored) {

    boolean isBehind() {
      return !versions.equals(stored);
    }
  }

  Found found(TypeId type, Base base) {
    List<SchemaVersion> stored = VersionsFile.read(objects, type).versions();
    List<SchemaVersion> versions = byTheChain(type, stored, base);
    if (versions.isEmpty() && hasRows(type, base)) {
      throw objects.corrupt(Layout.versions(type), "has no schema of a type that has rows");
    }
    return new Found(versions, stored);
  }

  private static boolean hasRows(TypeId type, Base base) {
    return base.newest().flatMap(Manifest::typeHeads).filter(t -> t.containsKey(type)).isPresent();
  }

  private List<SchemaVersion> byTheChain(TypeId type, List<SchemaVersion> stored, Base base) {
    Optional<Manifest> newest = base.newest();
    if (newest.isEmpty()) {
      return stored;
    }
    long floor = newest.get().typeFloors().map(floors -> floors.getOrDefault(type, 0L)).orElse(0L);
    List<SchemaVersion> versions = new ArrayList<>(stored);
    if (floor > 0) {
      // What a crash kept from being emptied: numbers go on after a drop, so they tell.
      long before = versionAt(chain.find(newest.get(), floor), type);
      versions.removeIf(version -> version.id() <= before);
    }
    long known = versions.isEmpty() ? 0 : versions.get(versions.size() - 1).id();
    rolledForward(newest.get(), type, known).ifPresent(versions::add);
    return versions;
  }

  /** A version that is committed and newer than what the documents know. */
  private Optional<SchemaVersion> rolledForward(Manifest newest, TypeId type, long known) {
    long commit = newest.schemaCommits().map(c -> c.getOrDefault(type, 0L)).orElse(0L);
    if (commit == 0 || versionAt(newest, type) <= known) {
      return Optional.empty();
    }
    return chain.find(newest, commit).schemaVersions().stream()
        .filter(version -> version.type().equals(type) && version.id() > known)
        .findFirst();
  }

  private static long versionAt(Manifest manifest, TypeId type) {
    return manifest.typeVersions().map(versions -> versions.getOrDefault(type, 0L)).orElse(0L);
  }

  /** The highest number any version of the type has had, also before it was dropped. */
  public long highestVersion(TypeId type, Base base) {
    if (base.newest().isEmpty()) {
      return 0;
    }
    Manifest newest = base.newest().get();
    if (newest.typeVersions().isPresent()) {
      return versionAt(newest, type);
    }
    long highest = 0;
    Optional<Manifest> manifest = base.newest();
    while (manifest.isPresent()) { // of another program's writing, and so without a shorter way
      long here = manifest.get().file(type).map(DataFile::schemaVersionId).orElse(0L);
      highest = Math.max(highest, here);
      manifest = chain.parent(manifest.get());
    }
    return highest;
  }

  /**
   * Every type of the ledger.
   *
   * @throws io.tidemark.ledger.store.CorruptLedgerException when the list isn't there or is no list
   */
  public SortedSet<TypeId> types() {
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

  /**
   * The same, held to what the newest commit says: a type that has rows is listed, since it is
   * before it has its first.
   */
  public SortedSet<TypeId> types(Base base) {
    SortedSet<TypeId> types = types();
    Set<TypeId> rows = base.newest().flatMap(Manifest::typeHeads).map(Map::keySet).orElse(Set.of());
    for (TypeId type : rows) {
      if (!types.contains(type)) {
        throw objects.corrupt(Layout.TYPES, "doesn't list " + type + ", which has rows");
      }
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

  /**
   * Enters types that aren't there, under the lock. Their versions come last, since it is by these
   * that a type is there: what a crash leaves is a name that is listed, and is entered again.
   */
  List<SchemaVersion> register(Collection<StoredSchema> schemas, String runtimeId, Base base) {
    List<SchemaVersion> versions = new ArrayList<>();
    for (StoredSchema schema : schemas) {
      TypeId type = schema.schema().id();
      versions.add(version(schema, highestVersion(type, base) + 1, runtimeId, "initial"));
    }
    entered(versions);
    JsonEdit.of(objects, Layout.DROPPED)
        .ifPresent(json -> versions.forEach(version -> forget(json, version.type())));
    for (SchemaVersion version : versions) {
      VersionsFile.read(objects, version.type()).holding(List.of(version)).write(objects);
    }
    return versions;
  }

  private static void forget(ObjectNode dropped, TypeId type) {
    if (dropped.path(type.kind().singular()) instanceof ObjectNode names) {
      names.remove(type.name());
    }
  }

  /** A version that isn't stored yet. */
  public SchemaVersion version(StoredSchema schema, long id, String runtimeId, String reason) {
    return new SchemaVersion(
        schema.schema().id(),
        id,
        schema.json(),
        schema.hash(),
        UtcTimestamp.format(objects.store().clock().instant()),
        runtimeId,
        reason);
  }

  /**
   * Follows a commit that changed schemas. What others have added since stays.
   *
   * @param histories every version of each type that changed, the new one last
   */
  void follow(Map<TypeId, List<SchemaVersion>> histories) {
    histories.forEach(
        (type, versions) -> {
          VersionsFile file = VersionsFile.read(objects, type);
          List<SchemaVersion> all = new ArrayList<>(versions);
          all.addAll(file.after(versions.get(versions.size() - 1).id()));
          file.holding(all).write(objects);
          entered(List.of(all.get(all.size() - 1)));
        });
  }

  private void entered(Collection<SchemaVersion> versions) {
    JsonEdit.of(objects, Layout.REGISTRY)
        .apply(json -> versions.forEach(version -> enter(json, version)));
    JsonEdit.of(objects, Layout.TYPES)
        .apply(
            json -> {
              if (json.isEmpty()) {
                registered().forEach(type -> list(json, type, true)); // the list was lost
              }
              versions.forEach(version -> list(json, version.type(), true));
            });
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

  private void enter(ObjectNode registry, SchemaVersion version) {
    TypeId type = version.type();
    registry.withObject("/" + type.kind().singular()).set(type.name(), tree(version));
  }

  private JsonNode tree(SchemaVersion version) {
    try {
      return CanonicalJson.parse(version.schemaJson());
    } catch (IOException e) {
      throw objects.corrupt(
          Layout.versions(version.type()), "has a schema_json that is no JSON: " + e.getMessage());
    }
  }

  /**
   * Follows a commit that dropped types. One that has been declared again since stays.
   *
   * @param dropped each with the last version it had
   */
  void follow(Map<TypeId, Long> dropped, long commitId) {
    for (Map.Entry<TypeId, Long> each : dropped.entrySet()) {
      TypeId type = each.getKey();
      VersionsFile file = VersionsFile.read(objects, type);
      if (!file.after(each.getValue()).isEmpty()) {
        continue;
      }
      file.holding(List.of()).write(objects);
      JsonEdit.of(objects, Layout.REGISTRY)
          .apply(json -> json.withObject("/" + type.kind().singular()).remove(type.name()));
      JsonEdit.of(objects, Layout.TYPES).apply(json -> list(json, type, false));
      String now = UtcTimestamp.format(objects.store().clock().instant());
      JsonEdit.of(objects, Layout.DROPPED)
          .apply(
              json ->
                  json.withObject("/" + type.kind().singular())
                      .putObject(type.name())
                      .put("commit_id", commitId)
                      .put("purged", true)
                      .put("updated_at", now));
    }
  }

  /**
   * Follows drops whose writer died before it could, under the lock. Only types that are listed and
   * were dropped once are looked at.
   */
  public void followDrops(Base base) {
    Map<TypeId, Long> floors =
        base.newest().flatMap(Manifest::typeFloors).map(Map::copyOf).orElse(Map.of());
    for (TypeId type : types(base)) {
      long floor = floors.getOrDefault(type, 0L);
      if (floor > 0 && history(type, base).isEmpty()) {
        follow(Map.of(type, versionAt(base.newest().orElseThrow(), type)), floor);
      }
    }
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
