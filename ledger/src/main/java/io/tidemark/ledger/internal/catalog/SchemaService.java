// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.commit.CommitProtocol;
import io.tidemark.ledger.internal.commit.Metadata;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Service for the types of a ledger: comparison, migration and drop. */
public final class SchemaService {

  private final Catalog catalog;
  private final CommitProtocol protocol;
  private final LatestRows latest;
  private final String runtimeId;

  public SchemaService(
      Catalog catalog, CommitProtocol protocol, LatestRows latest, String runtimeId) {
    this.catalog = catalog;
    this.protocol = protocol;
    this.latest = latest;
    this.runtimeId = runtimeId;
  }

  /** Returns the current schema of every type. */
  public SortedMap<TypeId, SchemaVersion> current() {
    PinnedHead pinnedHead = protocol.base();
    SortedMap<TypeId, SchemaVersion> all = new TreeMap<>();
    for (TypeId type : catalog.types(pinnedHead)) {
      catalog.current(type, pinnedHead).ifPresent(version -> all.put(type, version));
    }
    return all;
  }

  /** Returns the current schema of a type, or empty if there is no such type. */
  public Optional<SchemaVersion> current(TypeId type) {
    return catalog.current(type, protocol.base());
  }

  /** Returns every version of a type's schema, the oldest first; none if there is no such type. */
  public List<SchemaVersion> history(TypeId type) {
    return catalog.history(type, protocol.base());
  }

  /**
   * Comparison of declared types with those of the ledger.
   *
   * @param missing types that the ledger doesn't have
   */
  public record Comparison(List<SchemaDiff> diffs, SortedSet<TypeId> missing) {}

  /** Compares declared types with those of the ledger, and changes nothing. */
  public Comparison compare(Collection<TypeSchema> declared) {
    PinnedHead pinnedHead = protocol.base();
    List<SchemaDiff> diffs = new ArrayList<>();
    SortedSet<TypeId> missing = new TreeSet<>();
    for (TypeSchema schema : declared) {
      Optional<SchemaVersion> stored = catalog.current(schema.id(), pinnedHead);
      if (stored.isEmpty()) {
        missing.add(schema.id());
        continue;
      }
      TypeSchema before = StoredSchema.parse(stored.get().schemaJson()).schema();
      SchemaDiff diff = SchemaDiff.between(before, stored.get().id(), schema);
      if (!diff.isEmpty()) {
        diffs.add(diff);
      }
    }
    return new Comparison(diffs, missing);
  }

  /** Returns the plan of a migration to these types. */
  public MigrationPlan planMigration(Collection<TypeSchema> declared, Upgraders upgraders) {
    return migration(declared, upgraders, Approval.Force.FORCE, Map.of()).plan(protocol.base());
  }

  /**
   * Migrates to these types.
   *
   * @return the commit; empty when these are the types of the ledger already
   * @throws InvalidTokenException when the approval is of another plan
   * @throws MigrationException when an upgrader is missing or fails
   */
  public Optional<CommittedManifest> migrate(
      Collection<TypeSchema> declared,
      Upgraders upgraders,
      Approval approval,
      Map<String, String> metadata) {
    return protocol.commit(migration(declared, upgraders, approval, metadata));
  }

  private MigrationProposal migration(
      Collection<TypeSchema> declared,
      Upgraders upgraders,
      Approval approval,
      Map<String, String> metadata) {
    return new MigrationProposal(
        catalog, latest, declared, upgraders, approval, json(metadata), runtimeId);
  }

  /**
   * Preview of a drop.
   *
   * @param rows number of rows of each type that is dropped
   * @param token token that approves exactly this drop
   */
  public record DropPreview(SortedMap<TypeId, Long> rows, PlanToken token) {}

  public DropPreview planDrop(DropRequest request) {
    TypeDropProposal.Impact impact =
        new TypeDropProposal(catalog, latest, request, Approval.Force.FORCE, CanonicalJson.object())
            .impact(protocol.base());
    return new DropPreview(impact.rows(), PlanToken.ofDrop(impact.plan()));
  }

  /**
   * Drops a type.
   *
   * @throws RefusedDropException when the drop would remove more than was requested
   * @throws InvalidTokenException when the approval is of another plan
   */
  public CommittedManifest drop(
      DropRequest request, Approval approval, Map<String, String> metadata) {
    return protocol
        .commit(new TypeDropProposal(catalog, latest, request, approval, json(metadata)))
        .orElseThrow();
  }

  private static ObjectNode json(Map<String, String> metadata) {
    return Metadata.of(Map.of(), metadata);
  }
}
