// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plan for the features of a round. Features whose state is another than expected are in none of
 * the lists.
 *
 * @param inserts features to be created
 * @param updates features to be given another state
 * @param deletes features to be deleted
 * @param purges features whose deletion copies are to be removed, including those deleted first
 */
record WritePlan(
    List<PendingWrite> inserts,
    List<PendingWrite> updates,
    List<PendingWrite> deletes,
    List<PendingWrite> purges) {

  /**
   * Decides by the existing features.
   *
   * @param current the namespaces of the existing features
   */
  static WritePlan of(List<PendingWrite> rows, Map<String, JsonNode> current) {
    WritePlan writePlan =
        new WritePlan(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (PendingWrite pendingWrite : rows) {
      JsonNode was = current.get(pendingWrite.id);
      if (was == null) {
        writePlan.absent(pendingWrite);
      } else if (!differs(pendingWrite.write, was)) {
        writePlan.present(pendingWrite);
      }
    }
    return writePlan;
  }

  private void absent(PendingWrite pendingWrite) {
    if (pendingWrite.write instanceof Write.Create || pendingWrite.write instanceof Write.Upsert) {
      inserts.add(pendingWrite);
    } else if (pendingWrite.write instanceof Write.Purge) {
      purges.add(pendingWrite);
    } else if (pendingWrite.write instanceof Write.Update) {
      pendingWrite.result =
          new RowResult.Missing(
              pendingWrite.id,
              "Operation failed, no feature with the id '%s' exists".formatted(pendingWrite.id));
    } else {
      pendingWrite.result = new RowResult.Retained(pendingWrite.id);
    }
  }

  private void present(PendingWrite pendingWrite) {
    if (pendingWrite.write instanceof Write.Update || pendingWrite.write instanceof Write.Upsert) {
      updates.add(pendingWrite);
      return;
    }
    deletes.add(pendingWrite);
    if (pendingWrite.write instanceof Write.Purge) {
      purges.add(pendingWrite);
    }
  }

  private static boolean differs(Write write, JsonNode was) {
    String expected = WriteValidator.expected(write);
    return expected != null && !Guid.same(expected, was.path("uuid").asText());
  }

  /** Returns the ids of features to be purged that neither exist nor have a deletion copy. */
  List<String> absent(Set<String> copies) {
    Set<PendingWrite> deleted = Set.copyOf(deletes);
    return purges.stream()
        .filter(
            pendingWrite -> !deleted.contains(pendingWrite) && !copies.contains(pendingWrite.id))
        .map(pendingWrite -> pendingWrite.id)
        .toList();
  }

  /** Returns the writes that write a state. */
  List<PendingWrite> written() {
    List<PendingWrite> written = new ArrayList<>(inserts);
    written.addAll(updates);
    return written;
  }
}
