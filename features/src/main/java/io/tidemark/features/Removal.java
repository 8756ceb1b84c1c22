// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

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

  void run(Plan plan) {
    if (!plan.deletes().isEmpty()) {
      delete(plan.deletes());
    }
    if (!plan.purges().isEmpty()) {
      purge(plan.purges());
    }
  }

  private void delete(List<Row> rows) {
    Set<String> deleted = head.delete(Row.ids(rows));
    List<String> told = answer == Answer.STATES ? List.copyOf(deleted) : List.of();
    Map<String, Feature> last = told.isEmpty() ? Map.of() : head.lastStates(told);
    for (Row row : rows) {
      Optional<Feature> state = Optional.ofNullable(last.get(row.id));
      boolean purge = row.write instanceof Write.Purge;
      if (deleted.contains(row.id)) {
        row.result =
            purge ? new RowResult.Purged(row.id, state) : new RowResult.Deleted(row.id, state);
      } else if (!purge) {
        row.result = new RowResult.Retained(row.id);
      }
    }
  }

  private void purge(List<Row> rows) {
    Map<String, Feature> zombies = head.zombies(Row.ids(rows));
    List<String> purged = new ArrayList<>();
    for (Row row : rows) {
      Feature zombie = zombies.get(row.id);
      String expected = RowIds.expected(row.write);
      // What was there a moment ago had the expected state already, and now has another.
      if (row.result != null) {
        purged.add(row.id);
      } else if (zombie == null) {
        row.result = new RowResult.Retained(row.id);
      } else if (expected != null
          && !Guid.same(expected, zombie.xyz().flatMap(Xyz::uuid).orElse(""))) {
        row.conflict(zombie);
      } else {
        purged.add(row.id);
        row.result = new RowResult.Purged(row.id, Optional.of(zombie));
      }
    }
    if (!purged.isEmpty()) {
      head.purge(purged);
    }
  }
}
