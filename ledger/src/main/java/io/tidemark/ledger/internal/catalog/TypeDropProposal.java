// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.commit.Draft;
import io.tidemark.ledger.internal.commit.Proposal;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proposal that drops a type, and relations that need it, with a commit that has no rows. The
 * manifests from there on carry the commit as the floor of these types: rows from before it don't
 * come back, by no loss or repair of an index, also when a type of that name is declared again.
 */
final class TypeDropProposal implements Proposal {

  private static final Logger LOG = LoggerFactory.getLogger(TypeDropProposal.class);

  private final Catalog catalog;
  private final LatestRows latest;
  private final DropRequest request;
  private final Approval approval;
  private final ObjectNode metadata;

  TypeDropProposal(
      Catalog catalog,
      LatestRows latest,
      DropRequest request,
      Approval approval,
      ObjectNode metadata) {
    this.catalog = catalog;
    this.latest = latest;
    this.request = request;
    this.approval = approval;
    this.metadata = metadata;
  }

  /** Types to be dropped, with the number of rows of each. */
  record Impact(DropPlan plan, SortedMap<TypeId, Long> rows) {}

  Impact impact(PinnedHead pinnedHead) {
    SortedMap<TypeId, Long> versions = new TreeMap<>();
    SortedMap<TypeId, Long> rows = new TreeMap<>();
    List<TypeId> types = new ArrayList<>(request.also());
    types.add(request.target());
    List<TypeId> dependents = dependents(pinnedHead);
    if (request.dependents() == DropRequest.Dependents.CASCADE) {
      types.addAll(dependents);
    } else if (!types.containsAll(dependents)) {
      dependents.removeAll(types);
      throw new RefusedDropException(
          request.target() + " is an end of " + dependents + "; name them too, or cascade");
    }
    for (TypeId type : types) {
      SchemaVersion version =
          catalog
              .current(type, pinnedHead)
              .orElseThrow(() -> new RefusedDropException("the ledger has no type " + type));
      versions.put(type, version.id());
      rows.put(type, latest.count(type, pinnedHead, pinnedHead.head().commitId()));
    }
    Optional<Long> head = pinnedHead.newest().map(Manifest::commitId);
    return new Impact(new DropPlan(versions, request.history(), head), rows);
  }

  private List<TypeId> dependents(PinnedHead pinnedHead) {
    List<TypeId> dependents = new ArrayList<>();
    if (request.target().kind() == TypeKind.ENTITY) {
      for (TypeId type : catalog.types(pinnedHead)) {
        Optional<SchemaVersion> version =
            type.kind() == TypeKind.RELATION ? catalog.current(type, pinnedHead) : Optional.empty();
        if (version.isPresent()
            && StoredSchema.parse(version.get().schemaJson()).schema().identity()
                instanceof Endpoints ends
            && (ends.leftType().equals(request.target().name())
                || ends.rightType().equals(request.target().name()))) {
          dependents.add(type);
        }
      }
    }
    return dependents;
  }

  @Override
  public Optional<Draft> draft(PinnedHead pinnedHead) {
    Impact impact = impact(pinnedHead);
    if (approval instanceof Approval.ByToken given) {
      InvalidTokenException.require(
          PlanToken.ofDrop(impact.plan()), given.token(), "dropping " + request.target());
    }
    long rows = impact.rows().values().stream().mapToLong(Long::longValue).sum();
    if (rows > 0 && request.history() == History.KEEP) {
      throw new RefusedDropException(
          impact.rows()
              + (rows == 1 ? " row" : " rows")
              + " would be lost; say that history is to be purged if that is meant");
    }
    SortedMap<TypeId, Long> dropped = impact.plan().affected();
    Set<TypeId> types = dropped.keySet();
    long commitId = pinnedHead.nextCommitId();
    return Optional.of(
        Draft.ofDrop(metadata(types), dropped, () -> updateDocuments(dropped, commitId)));
  }

  private ObjectNode metadata(Set<TypeId> types) {
    ArrayNode list = CanonicalJson.object().arrayNode();
    types.forEach(
        type ->
            list.addObject()
                .put("type_kind", type.kind().singular())
                .put("type_name", type.name()));
    return metadata
        .deepCopy()
        .put("operation", Manifest.DROP_OPERATION)
        .put("target_kind", request.target().kind().singular())
        .put("target_type", request.target().name())
        .put("affected_types", CanonicalJson.write(list));
  }

  /**
   * Updates the documents. Never fails: the commit is real, and the floor it sets counts whatever
   * the documents have.
   */
  private void updateDocuments(SortedMap<TypeId, Long> dropped, long commitId) {
    try {
      catalog.applyCommit(dropped, commitId);
    } catch (TidemarkException e) {
      LOG.warn("the catalog doesn't show the drop yet: {}", e.getMessage());
    }
  }
}
