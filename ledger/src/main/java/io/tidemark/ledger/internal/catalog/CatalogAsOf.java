// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.objects.Condition;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Catalog as of a commit, for a branch that begins there.
 *
 * <p>A manifest records the version of each type that was written to. Version numbers only grow,
 * also over a drop, so the versions up to that number are those of that time; and those up to the
 * number that the last drop ended with are former ones. A type that was declared and not yet
 * written to is in no manifest: at the head it is part of the catalog, before it isn't.
 */
public final class CatalogAsOf {

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final PinnedHead head;
  private final Manifest at;

  /**
   * Creates the catalog of a branch.
   *
   * @param head head of that branch
   * @param at one of its commits, with the state of all types
   */
  public CatalogAsOf(
      LedgerObjects objects, ManifestChain manifestChain, PinnedHead head, Manifest at) {
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.head = head;
    this.at = at;
  }

  private record Versions(List<SchemaVersion> current, List<SchemaVersion> former) {}

  /**
   * Writes it to the directory of a new branch, which has no catalog yet.
   *
   * @throws BranchRefusedException when the schema of a type is lost
   */
  public void write(LedgerObjects target) {
    SortedMap<TypeId, Versions> all = read();
    String now = UtcTimestamp.format(objects.store().clock().instant());
    ObjectNode registry = CanonicalJson.object();
    ObjectNode types = CanonicalJson.object();
    for (TypeKind typeKind : TypeKind.values()) {
      registry.putObject(typeKind.singular());
      types.putArray(typeKind.plural());
    }
    all.forEach(
        (type, versions) -> {
          SchemaVersionsDocument.read(target, type)
              .withVersions(versions.current(), versions.former())
              .write(target);
          if (!versions.current().isEmpty()) {
            SchemaVersion last = versions.current().get(versions.current().size() - 1);
            registry.withObject("/" + type.kind().singular()).set(type.name(), tree(last));
            types.withArray("/" + type.kind().plural()).add(type.name());
          }
        });
    target.write(LedgerLayout.REGISTRY, registry.put("updated_at", now), Condition.none());
    target.write(LedgerLayout.TYPES, types.put("updated_at", now), Condition.none());
    objects.read(LedgerLayout.DROPPED).ifPresent(found -> copyDropped(found.json(), target));
  }

  private SortedMap<TypeId, Versions> read() {
    SortedMap<TypeId, Versions> all = new TreeMap<>();
    SortedSet<TypeId> types = at.typesWhere(type -> type.version() > 0 || type.lastCommit() > 0);
    if (isHead()) {
      types.addAll(new Catalog(objects, manifestChain).types(head));
    }
    types.forEach(type -> all.put(type, versions(type)));
    return all;
  }

  private boolean isHead() {
    return at.commitId() == head.head().commitId();
  }

  private Versions versions(TypeId type) {
    SortedMap<Long, SchemaVersion> all = new TreeMap<>();
    SchemaVersionsDocument file = SchemaVersionsDocument.read(objects, type);
    file.former().forEach(version -> all.put(version.id(), version));
    if (!isDroppedByAnotherSince(type)) {
      file.versions().forEach(version -> all.put(version.id(), version));
    }
    long committed = at.type(type).schemaCommit();
    if (committed > 0) {
      manifestChain.find(at, committed).schemaVersions().stream()
          .filter(version -> version.type().equals(type))
          .forEach(version -> all.put(version.id(), version));
    }
    long floor = at.type(type).floor();
    long ended = floor == 0 ? 0 : manifestChain.find(at, floor).type(type).version();
    long last = last(type, all.values());
    List<SchemaVersion> former = new ArrayList<>();
    List<SchemaVersion> current = new ArrayList<>();
    for (SchemaVersion version : all.values()) {
      if (version.id() <= last) {
        (version.id() <= ended ? former : current).add(version);
      }
    }
    if (at.lastTouch(type) > 0 && (current.isEmpty() || !all.containsKey(last))) {
      throw new BranchRefusedException(
          "the schema that "
              + type
              + " had at commit "
              + at.commitId()
              + " isn't known any more, since the type was dropped; branch at a later commit");
    }
    return new Versions(current, former);
  }

  /**
   * Returns whether another program has dropped the type since. Such programs restart at version 1,
   * and keep nothing from before.
   */
  private boolean isDroppedByAnotherSince(TypeId type) {
    Manifest newest = head.newest().orElseThrow();
    long floor = newest.type(type).floor();
    return floor > at.commitId() && !manifestChain.find(newest, floor).hasTypes();
  }

  /**
   * Returns the number of the last version of the type. A type that is only declared has it in the
   * documents alone. Commits of other programs may leave it out; then the time of the commit limits
   * the possible versions.
   */
  private long last(TypeId type, Collection<SchemaVersion> all) {
    boolean hasRows = at.lastTouch(type) > at.type(type).floor();
    if (hasRows && at.type(type).version() > 0) {
      return at.type(type).version();
    }
    if (!hasRows && !isHead()) {
      return at.type(type).version();
    }
    LongStream ids =
        all.stream().filter(v -> isHead() || isFromBefore(v)).mapToLong(SchemaVersion::id);
    long first = all.stream().mapToLong(SchemaVersion::id).min().orElse(0);
    return ids.max().orElse(first);
  }

  private boolean isFromBefore(SchemaVersion version) {
    return UtcTimestamp.parse(version.createdAt())
        .filter(created -> created.isAfter(at.createdAt()))
        .isEmpty();
  }

  private JsonNode tree(SchemaVersion version) {
    try {
      return CanonicalJson.parse(version.schemaJson());
    } catch (IOException e) {
      throw objects.corrupt(
          LedgerLayout.versions(version.type()),
          "has a schema_json that is no JSON: " + e.getMessage());
    }
  }

  /** Copies the types that were dropped by then. */
  private void copyDropped(ObjectNode dropped, LedgerObjects target) {
    ObjectNode copy = dropped.deepCopy();
    for (TypeKind typeKind : TypeKind.values()) {
      if (copy.path(typeKind.singular()) instanceof ObjectNode names) {
        List<String> later = new ArrayList<>();
        names
            .properties()
            .forEach(
                each -> {
                  if (each.getValue().path("commit_id").asLong() > at.commitId()) {
                    later.add(each.getKey());
                  }
                });
        names.remove(later);
      }
    }
    target.write(LedgerLayout.DROPPED, copy, Condition.none());
  }
}
