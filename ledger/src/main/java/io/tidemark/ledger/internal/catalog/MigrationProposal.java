// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.commit.Draft;
import io.tidemark.ledger.internal.commit.Proposal;
import io.tidemark.ledger.internal.commit.WriteBuffer;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.ValueCheck;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proposal that changes the schemas of types to the declared ones, together with every row of their
 * present state, in one commit. The manifest of that commit carries the new schemas, so that both
 * become real in the same moment; the catalog's documents follow. Idempotent: a retry after a crash
 * finds either nothing changed, or everything. No upgrader sees a row twice.
 */
final class MigrationProposal implements Proposal {

  private static final Logger LOG = LoggerFactory.getLogger(MigrationProposal.class);

  private final Catalog catalog;
  private final LatestRows latest;
  private final SortedMap<TypeId, TypeSchema> declared = new TreeMap<>();
  private final Upgraders upgraders;
  private final Approval approval;
  private final ObjectNode metadata;
  private final String runtimeId;

  MigrationProposal(
      Catalog catalog,
      LatestRows latest,
      Collection<TypeSchema> declared,
      Upgraders upgraders,
      Approval approval,
      ObjectNode metadata,
      String runtimeId) {
    this.catalog = catalog;
    this.latest = latest;
    declared.forEach(schema -> this.declared.put(schema.id(), schema));
    this.upgraders = upgraders;
    this.approval = approval;
    this.metadata = metadata;
    this.runtimeId = runtimeId;
  }

  MigrationPlan plan(PinnedHead pinnedHead) {
    List<SchemaDiff> diffs = new ArrayList<>();
    SortedMap<TypeId, Long> rows = new TreeMap<>();
    SortedSet<TypeId> missing = new TreeSet<>();
    for (TypeSchema schema : declared.values()) {
      Optional<SchemaVersion> current = catalog.current(schema.id(), pinnedHead);
      if (current.isEmpty()) {
        continue; // a new type is registered when it is first written to
      }
      TypeSchema stored = StoredSchema.parse(current.get().schemaJson()).schema();
      SchemaDiff diff = SchemaDiff.between(stored, current.get().id(), schema);
      if (diff.isEmpty()) {
        continue;
      }
      diffs.add(diff);
      long count = latest.count(schema.id(), pinnedHead, pinnedHead.head().commitId());
      rows.put(schema.id(), count);
      if (count > 0 && upgraders.from(schema.id(), current.get().id()).isEmpty()) {
        missing.add(schema.id());
      }
    }
    Optional<Long> head = pinnedHead.newest().map(manifest -> manifest.commitId());
    return new MigrationPlan(diffs, PlanToken.ofMigration(diffs, head), rows, missing);
  }

  @Override
  public Optional<Draft> draft(PinnedHead pinnedHead) {
    MigrationPlan plan = plan(pinnedHead);
    if (plan.diffs().isEmpty()) {
      return Optional.empty();
    }
    if (approval instanceof Approval.ByToken given) {
      InvalidTokenException.require(plan.token(), given.token(), "the migration");
    }
    if (!plan.missingUpgraders().isEmpty()) {
      throw new MigrationException(
          "these types have rows and no upgrader from their present version: "
              + plan.missingUpgraders()
              + "; give one for each");
    }
    List<Draft.Part> parts = new ArrayList<>();
    List<SchemaVersion> versions = new ArrayList<>();
    Map<TypeId, List<SchemaVersion>> histories = new TreeMap<>();
    ArrayNode migrated = CanonicalJson.object().arrayNode();
    for (SchemaDiff diff : plan.diffs()) {
      TypeSchema schema = schema(diff.type());
      List<SchemaVersion> history = new ArrayList<>(catalog.history(diff.type(), pinnedHead));
      SchemaVersion version =
          catalog.version(
              StoredSchema.of(schema),
              diff.storedVersion() + 1,
              runtimeId,
              "migration",
              renamed(history.get(history.size() - 1), schema));
      versions.add(version);
      history.add(version);
      histories.put(diff.type(), history);
      Optional<Draft.Part> part = rewrite(schema, version.id(), pinnedHead);
      part.ifPresent(parts::add);
      migrated.add(report(diff, version, part.map(p -> p.rows().rowCount()).orElse(0L)));
    }
    ObjectNode said = metadata.deepCopy();
    said.put("kind", "migration").set("migrated_types", migrated);
    return Optional.of(Draft.ofMigration(parts, said, versions, () -> updateDocuments(histories)));
  }

  /** Returns the renamed fields, without those that either version doesn't have. */
  private SortedMap<String, String> renamed(SchemaVersion before, TypeSchema after) {
    TypeSchema stored = StoredSchema.parse(before.schemaJson()).schema();
    SortedMap<String, String> renamed =
        new TreeMap<>(upgraders.renames(before.type(), before.id()));
    renamed.keySet().retainAll(after.payload().keySet());
    renamed.values().retainAll(stored.payload().keySet());
    return renamed;
  }

  private TypeSchema schema(TypeId type) {
    TypeSchema schema = declared.get(type);
    if (schema == null) {
      throw new IllegalStateException("only declared types are migrated, not " + type);
    }
    return schema;
  }

  private static ObjectNode report(SchemaDiff diff, SchemaVersion version, long rows) {
    return CanonicalJson.object()
        .put("type_kind", diff.type().kind().singular())
        .put("type_name", diff.type().name())
        .put("from_schema_version_id", diff.storedVersion())
        .put("to_schema_version_id", version.id())
        .put("rows_rewritten", rows);
  }

  private Optional<Draft.Part> rewrite(TypeSchema schema, long version, PinnedHead pinnedHead) {
    TypeId type = schema.id();
    // A stored row was allowed, whatever its length.
    ValueCheck check = ValueCheck.of(schema, Integer.MAX_VALUE);
    try (WriteBuffer queue = new WriteBuffer();
        RowWriter writer = RowWriter.toMemory(schema)) {
      latest.forEach(
          type,
          pinnedHead,
          pinnedHead.head().commitId(),
          row -> queue.add(upgraded(type, row, version, check)));
      Iterator<Fact> facts = queue.sorted(type);
      if (!facts.hasNext()) {
        return Optional.empty();
      }
      while (facts.hasNext()) {
        Fact fact = facts.next();
        writer.add(new Row(pinnedHead.nextCommitId(), fact.identity(), version, fact.fieldsJson()));
      }
      return Optional.of(new Draft.Part(type, writer.finish(), version));
    }
  }

  private Fact upgraded(TypeId type, Row row, long target, ValueCheck check) {
    try {
      ObjectNode fields = (ObjectNode) CanonicalJson.parse(row.fieldsJson());
      for (long from = Math.max(row.schemaVersionId(), 1); from < target; from++) {
        fields = step(type, from).apply(fields);
      }
      Fact fact =
          row.identity() instanceof Identity.RelationKey key
              ? check.relation(key, fields)
              : check.entity(fields);
      if (!fact.identity().equals(row.identity())) {
        throw new MigrationException("its key became " + fact.identity() + ", which must stay");
      }
      return fact;
    } catch (IOException | RuntimeException e) {
      throw new MigrationException(
          "upgrading "
              + type
              + " "
              + row.identity()
              + " failed: "
              + (e instanceof TidemarkException ? e.getMessage() : e.toString())
              + "; its payload was "
              + row.fieldsJson(),
          e);
    }
  }

  private UnaryOperator<ObjectNode> step(TypeId type, long from) {
    return upgraders
        .from(type, from)
        .orElseThrow(
            () ->
                new MigrationException(
                    "there is no upgrader from version " + from + "; give one for each step"));
  }

  /**
   * Updates the documents. Never fails: the commit is real, and readers take the schemas from it.
   */
  private void updateDocuments(Map<TypeId, List<SchemaVersion>> histories) {
    try {
      catalog.applyCommit(histories);
    } catch (TidemarkException e) {
      LOG.warn("the catalog doesn't show the migration yet, and will: {}", e.getMessage());
    }
  }
}
