// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Xyz;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Deletes and purges what a plan says, and tells what became of it. */
final class Removal {

  private final Head head;
  private final Answer answer;

  Removal(Head head, Answer answer) {
    this.head = head;
    this.answer = answer;
  }

  /** Deletes features that nobody has looked for, whatever is there. */
  void deleteAny(List<Row> rows) {
    deleted(rows, head.deleteAny(Row.ids(rows)));
  }

  /** Locks the deletion copies that the plan removes: those that are purged, and of what is new. */
  Map<String, Feature> copies(Plan plan) {
    List<String> ids = new ArrayList<>(inserted(plan));
    ids.addAll(Row.ids(plan.purges()));
    return head.zombies(ids);
  }

  void run(Plan plan, Map<String, Feature> copies) {
    if (!plan.deletes().isEmpty()) {
      deleted(plan.deletes(), head.delete(Row.ids(plan.deletes())));
    }
    if (!plan.purges().isEmpty()) {
      purge(plan, copies);
    }
  }

  private void deleted(List<Row> rows, Set<String> deleted) {
    List<String> told = answer == Answer.STATES ? List.copyOf(deleted) : List.of();
    Map<String, Feature> last = told.isEmpty() ? Map.of() : head.lastStates(told);
    for (Row row : rows) {
      Optional<Feature> state = Optional.ofNullable(last.get(row.id));
      if (!deleted.contains(row.id)) {
        row.result = new RowResult.Retained(row.id);
      } else if (row.write instanceof Write.Purge) {
        row.result = new RowResult.Purged(row.id, state);
      } else {
        row.result = new RowResult.Deleted(row.id, state);
      }
    }
  }

  private void purge(Plan plan, Map<String, Feature> copies) {
    List<String> purged = new ArrayList<>(inserted(plan));
    for (Row row : plan.purges()) {
      Feature copy = copies.get(row.id);
      String expected = RowIds.expected(row.write);
      // What was there a moment ago had the expected state already, and now has another.
      if (row.result != null) {
        purged.add(row.id);
      } else if (copy == null) {
        row.result = new RowResult.Retained(row.id);
      } else if (expected != null
          && !Guid.same(expected, copy.xyz().flatMap(Xyz::uuid).orElse(""))) {
        row.conflict(copy);
      } else {
        purged.add(row.id);
        row.result = new RowResult.Purged(row.id, Optional.of(copy));
      }
    }
    if (!purged.isEmpty()) {
      head.purge(purged);
    }
  }

  private static List<String> inserted(Plan plan) {
    return plan.inserts().stream()
        .filter(row -> row.result instanceof RowResult.Created)
        .map(row -> row.id)
        .toList();
  }
}
