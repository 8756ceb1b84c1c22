// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.PayloadProjection;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Lineage of a type's fields through the versions of its schema. A field is the same from one
 * version to the next if its name is, or if the migration renamed it. A name that was removed and
 * added again is another field.
 */
public final class FieldLineage {

  private final List<SchemaVersion> versions;
  private final Map<Long, TypeSchema> schemas = new HashMap<>();

  /**
   * Creates the lineage of a type.
   *
   * @param versions all versions, the oldest first
   */
  public FieldLineage(List<SchemaVersion> versions) {
    this.versions = List.copyOf(versions);
    for (SchemaVersion version : versions) {
      schemas.put(version.id(), StoredSchema.parse(version.schemaJson()).schema());
    }
  }

  /**
   * Returns how payloads of other versions are shown in this one. Versions whose payloads stay as
   * they are aren't among them.
   */
  public SortedMap<Long, PayloadProjection> projectionsTo(SchemaVersion shown) {
    return projectionsTo(shown, this);
  }

  /**
   * Returns how payloads of the versions of another branch are shown in a version of this one.
   * Fields are followed through the versions that both branches have. A field that each branch
   * added for itself is the same if its name is.
   */
  public SortedMap<Long, PayloadProjection> projectionsTo(SchemaVersion shown, FieldLineage other) {
    SortedMap<Long, PayloadProjection> projections = new TreeMap<>();
    int target = versions.indexOf(shown);
    for (int i = 0; i < other.versions.size(); i++) {
      PayloadProjection projection =
          PayloadProjection.between(other.schema(i), schema(target), sources(target, other, i));
      if (!projection.isIdentity()) {
        projections.put(other.versions.get(i).id(), projection);
      }
    }
    return projections;
  }

  private TypeSchema schema(int version) {
    return Optional.ofNullable(schemas.get(versions.get(version).id())).orElseThrow();
  }

  /** Returns the name that each field of one version has in another, if it is present there. */
  private Map<String, String> sources(int target, FieldLineage other, int version) {
    int newestShared = newestShared(other);
    Map<String, String> sources = new HashMap<>();
    for (String name : schema(target).payload().keySet()) {
      Optional<String> found =
          version <= newestShared
              ? traced(target, version, name)
              : across(target, newestShared, other, version, name);
      found.ifPresent(source -> sources.put(name, source));
    }
    return sources;
  }

  /** Returns the last version that both branches have, or -1 if they have none. */
  private int newestShared(FieldLineage other) {
    if (other == this) {
      return versions.size() - 1;
    }
    int shared = 0;
    while (shared < versions.size()
        && shared < other.versions.size()
        && versions.get(shared).equals(other.versions.get(shared))) {
      shared++;
    }
    return shared - 1;
  }

  /** Returns the name that a field of a version has in a version that only the other branch has. */
  private Optional<String> across(
      int target, int shared, FieldLineage other, int version, String name) {
    Optional<String> there = shared < 0 ? Optional.empty() : traced(target, shared, name);
    if (there.isPresent() || target <= shared) {
      return there.flatMap(field -> other.traced(shared, version, field));
    }
    return Optional.of(name)
        .filter(field -> other.schema(version).payload().containsKey(field))
        .filter(field -> shared < 0 || other.traced(version, shared, field).isEmpty());
  }

  /** Returns the name that a field of one version has in another version of this branch. */
  private Optional<String> traced(int from, int to, String name) {
    Optional<String> found = Optional.of(name);
    for (int at = from; at != to && found.isPresent(); at += at < to ? 1 : -1) {
      int version = at;
      found = found.flatMap(n -> version < to ? next(version, n) : previous(version, n));
    }
    return found;
  }

  /** Returns the name that a field of a version has in the version before. */
  private Optional<String> previous(int version, String name) {
    SortedMap<String, String> renamed = versions.get(version).renamed();
    String before = renamed.getOrDefault(name, name);
    boolean isOther = before.equals(name) && renamed.containsValue(name);
    return Optional.of(before)
        .filter(field -> !isOther && schema(version - 1).payload().containsKey(field));
  }

  /** Returns the name that a field of a version has in the version after. */
  private Optional<String> next(int version, String name) {
    List<String> candidates = new ArrayList<>(List.of(name));
    candidates.addAll(versions.get(version + 1).renamed().keySet());
    return candidates.stream()
        .filter(after -> schema(version + 1).payload().containsKey(after))
        .filter(after -> previous(version + 1, after).equals(Optional.of(name)))
        .findFirst();
  }
}
