// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is to be done with the features of a round. Those whose state is another than expected are
 * in none of the lists.
 *
 * @param inserts features to be created
 * @param updates features to be given another state
 * @param deletes features to be deleted
 * @param purges those whose deletion copies are to go, also of features that are deleted first
 */
record Plan(List<Row> inserts, List<Row> updates, List<Row> deletes, List<Row> purges) {

  /**
   * Decides by what is there.
   *
   * @param current the namespaces of the features that are there
   */
  static Plan of(List<Row> rows, Map<String, JsonNode> current) {
    Plan plan =
        new Plan(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Row row : rows) {
      JsonNode was = current.get(row.id);
      if (was == null) {
        plan.absent(row);
      } else if (!differs(row.write, was)) {
        plan.present(row);
      }
    }
    return plan;
  }

  private void absent(Row row) {
    if (row.write instanceof Write.Create || row.write instanceof Write.Upsert) {
      inserts.add(row);
    } else if (row.write instanceof Write.Purge) {
      purges.add(row);
    } else if (row.write instanceof Write.Update) {
      row.result =
          new RowResult.Missing(
              row.id, "Operation failed, no feature with the id '%s' exists".formatted(row.id));
    } else {
      row.result = new RowResult.Retained(row.id);
    }
  }

  private void present(Row row) {
    if (row.write instanceof Write.Update || row.write instanceof Write.Upsert) {
      updates.add(row);
      return;
    }
    deletes.add(row);
    if (row.write instanceof Write.Purge) {
      purges.add(row);
    }
  }

  private static boolean differs(Write write, JsonNode was) {
    String expected = RowIds.expected(write);
    return expected != null && !Guid.same(expected, was.path("uuid").asText());
  }

  /** The ids of those that are to be purged and are neither there nor among deletion copies. */
  List<String> absent(Set<String> copies) {
    Set<Row> deleted = Set.copyOf(deletes);
    return purges.stream()
        .filter(row -> !deleted.contains(row) && !copies.contains(row.id))
        .map(row -> row.id)
        .toList();
  }

  /** Those for which a state is written. */
  List<Row> written() {
    List<Row> written = new ArrayList<>(inserts);
    written.addAll(updates);
    return written;
  }
}
