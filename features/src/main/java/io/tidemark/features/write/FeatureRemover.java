// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.XyzNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Deletes and purges features by plan, and records the result of each write. */
final class FeatureRemover {

  private final CollectionTables collectionTables;
  private final ResultDetail resultDetail;

  FeatureRemover(CollectionTables collectionTables, ResultDetail resultDetail) {
    this.collectionTables = collectionTables;
    this.resultDetail = resultDetail;
  }

  /** Deletes features unconditionally, without reading them first. */
  void deleteAny(List<PendingWrite> rows) {
    deleted(rows, collectionTables.deleteAny(PendingWrite.ids(rows)));
  }

  /** Locks the deletion copies that the plan removes: of purged features, and of created ones. */
  Map<String, Feature> copies(WritePlan writePlan) {
    List<String> ids = new ArrayList<>(inserted(writePlan));
    ids.addAll(PendingWrite.ids(writePlan.purges()));
    return collectionTables.deletionCopies(ids);
  }

  void run(WritePlan writePlan, Map<String, Feature> copies) {
    if (!writePlan.deletes().isEmpty()) {
      deleted(writePlan.deletes(), collectionTables.delete(PendingWrite.ids(writePlan.deletes())));
    }
    if (!writePlan.purges().isEmpty()) {
      purge(writePlan, copies);
    }
  }

  private void deleted(List<PendingWrite> rows, Set<String> deleted) {
    List<String> told = resultDetail == ResultDetail.STATES ? List.copyOf(deleted) : List.of();
    Map<String, Feature> last = told.isEmpty() ? Map.of() : collectionTables.lastStates(told);
    for (PendingWrite pendingWrite : rows) {
      Optional<Feature> state = Optional.ofNullable(last.get(pendingWrite.id));
      if (!deleted.contains(pendingWrite.id)) {
        pendingWrite.result = new RowResult.Retained(pendingWrite.id);
      } else if (pendingWrite.write instanceof Write.Purge) {
        pendingWrite.result = new RowResult.Purged(pendingWrite.id, state);
      } else {
        pendingWrite.result = new RowResult.Deleted(pendingWrite.id, state);
      }
    }
  }

  private void purge(WritePlan writePlan, Map<String, Feature> copies) {
    List<String> purged = new ArrayList<>(inserted(writePlan));
    for (PendingWrite pendingWrite : writePlan.purges()) {
      Feature copy = copies.get(pendingWrite.id);
      String expected = WriteValidator.expected(pendingWrite.write);
      // A feature that existed a moment ago had the expected state, and has another since its
      // deletion.
      if (pendingWrite.result != null) {
        purged.add(pendingWrite.id);
      } else if (copy == null) {
        pendingWrite.result = new RowResult.Retained(pendingWrite.id);
      } else if (expected != null
          && !Guid.same(expected, copy.xyz().flatMap(XyzNamespace::uuid).orElse(""))) {
        pendingWrite.conflict(copy);
      } else {
        purged.add(pendingWrite.id);
        pendingWrite.result = new RowResult.Purged(pendingWrite.id, Optional.of(copy));
      }
    }
    if (!purged.isEmpty()) {
      collectionTables.purge(purged);
    }
  }

  private static List<String> inserted(WritePlan writePlan) {
    return writePlan.inserts().stream()
        .filter(pendingWrite -> pendingWrite.result instanceof RowResult.Created)
        .map(pendingWrite -> pendingWrite.id)
        .toList();
  }
}
