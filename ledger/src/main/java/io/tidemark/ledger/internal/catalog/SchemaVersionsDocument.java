// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Document with the versions of one type's schema, the oldest first.
 *
 * @param former versions of dropped types of the same name: a branch that begins before the drop
 *     has the type
 */
record SchemaVersionsDocument(
    TypeId type,
    List<SchemaVersion> versions,
    List<SchemaVersion> former,
    ObjectNode json,
    Optional<ETag> etag) {

  private static final String VERSIONS = "versions";
  private static final String FORMER = "former_versions";

  static SchemaVersionsDocument read(LedgerObjects objects, TypeId type) {
    String path = LedgerLayout.versions(type);
    Optional<LedgerObjects.Document> found = objects.read(path);
    found.ifPresent(document -> requireOf(objects, type, document.json()));
    List<SchemaVersion> versions = versions(objects, type, found, VERSIONS);
    if (!versions.isEmpty()) {
      requireSense(objects, versions.get(versions.size() - 1));
    }
    return new SchemaVersionsDocument(
        type,
        versions,
        versions(objects, type, found, FORMER),
        found.map(LedgerObjects.Document::json).orElse(CanonicalJson.object()),
        found.map(LedgerObjects.Document::etag));
  }

  private static List<SchemaVersion> versions(
      LedgerObjects objects, TypeId type, Optional<LedgerObjects.Document> found, String field) {
    List<SchemaVersion> versions = new ArrayList<>();
    for (JsonNode each : found.map(f -> f.json().path(field)).orElse(CanonicalJson.object())) {
      versions.add(version(objects, type, each));
    }
    versions.sort(Comparator.comparingLong(SchemaVersion::id));
    for (int i = 1; i < versions.size(); i++) {
      if (versions.get(i).id() == versions.get(i - 1).id()) {
        throw objects.corrupt(
            LedgerLayout.versions(type), "has two versions numbered " + versions.get(i).id());
      }
    }
    return versions;
  }

  /** Requires a list of versions of this type only. */
  private static void requireOf(LedgerObjects objects, TypeId type, ObjectNode json) {
    String path = LedgerLayout.versions(type);
    if (!json.path(VERSIONS).isArray() || (json.has(FORMER) && !json.path(FORMER).isArray())) {
      throw objects.corrupt(path, "has no list of versions");
    }
    String kind = json.path("type_kind").asText(type.kind().singular());
    String name = json.path("type_name").asText(type.name());
    if (!kind.equals(type.kind().singular()) || !name.equals(type.name())) {
      throw objects.corrupt(path, "is of " + kind + ":" + name + ", not of " + type);
    }
  }

  /** Returns the versions with a higher number. */
  List<SchemaVersion> after(long id) {
    return versions.stream().filter(version -> version.id() > id).toList();
  }

  private static SchemaVersion version(LedgerObjects objects, TypeId type, JsonNode json) {
    try {
      SchemaVersion version = SchemaVersion.parse(type, json);
      if (version.id() < 1) {
        throw objects.corrupt(
            LedgerLayout.versions(type), "has a version numbered " + version.id());
      }
      if (!version.hash().isEmpty() && !version.hash().equals(hash(version.schemaJson()))) {
        throw objects.corrupt(
            LedgerLayout.versions(type),
            "has a version " + version.id() + " that isn't of its hash");
      }
      return version;
    } catch (IllegalArgumentException e) {
      throw objects.corrupt(
          LedgerLayout.versions(type), "has a version that makes no sense: " + e.getMessage());
    }
  }

  /** Returns the hash of the canonical form, whichever form is stored. */
  private static String hash(String schemaJson) {
    try {
      return StoredSchema.hashOf(CanonicalJson.parse(schemaJson));
    } catch (IOException e) {
      throw new IllegalArgumentException("its schema_json is no JSON: " + e.getMessage());
    }
  }

  /** Requires a valid current version, since rows are checked against it. */
  private static void requireSense(LedgerObjects objects, SchemaVersion current) {
    String path = LedgerLayout.versions(current.type());
    try {
      TypeId said = StoredSchema.parse(current.schemaJson()).schema().id();
      if (!said.equals(current.type())) {
        throw objects.corrupt(path, "has the schema of " + said);
      }
    } catch (InvalidSchemaException e) {
      throw objects.corrupt(path, "has a schema that makes no sense: " + e.getMessage());
    }
  }

  /**
   * Returns the document with these versions only; those that were current before become former
   * ones.
   */
  SchemaVersionsDocument withVersions(List<SchemaVersion> others) {
    List<SchemaVersion> gone = new ArrayList<>(former);
    versions.stream().filter(version -> !others.contains(version)).forEach(gone::add);
    return withVersions(others, gone);
  }

  /** Returns the document with these current and former versions only. */
  SchemaVersionsDocument withVersions(List<SchemaVersion> others, List<SchemaVersion> gone) {
    return new SchemaVersionsDocument(type, others, gone, json, etag);
  }

  void write(LedgerObjects objects) {
    ObjectNode next = json.deepCopy();
    next.put("type_kind", type.kind().singular()).put("type_name", type.name());
    ArrayNode list = next.putArray(VERSIONS);
    versions.forEach(version -> list.add(version.json()));
    next.remove(FORMER);
    if (!former.isEmpty()) {
      ArrayNode gone = next.putArray(FORMER);
      former.forEach(version -> gone.add(version.json()));
    }
    if (!objects.write(LedgerLayout.versions(type), next, Condition.unchanged(etag)).written()) {
      throw new StoreUnavailableException(
          "the schema of "
              + type
              + " in "
              + objects.location()
              + " was changed by another at the same time; try again");
    }
  }
}
