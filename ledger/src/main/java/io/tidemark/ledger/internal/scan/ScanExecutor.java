// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Cells;
import io.tidemark.ledger.internal.plan.Executor;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.scan.Sorting.Place;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Order.Direction;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers queries by looking at every row. What it finds is kept in memory. */
public final class ScanExecutor implements Executor {

  private final RowSource source;

  public ScanExecutor(RowSource source) {
    this.source = source;
  }

  private record Placed(Place place, Joined row) {}

  @Override
  public Stream<Found> rows(Plan plan) {
    Values values = new Values(plan.binding());
    Sorting sorting = new Sorting(plan, values);
    Comparator<Place> order = sorting.comparator();
    Optional<Place> after = plan.query().after().map(cursor -> Sorting.place(plan, cursor));
    List<Placed> rows = new ArrayList<>();
    new Matches(plan, source, new Judgement(values))
        .forEach(
            row -> {
              Place place = sorting.place(row);
              if (after.isEmpty() || order.compare(place, after.get()) > 0) {
                rows.add(new Placed(place, row));
              }
            });
    rows.sort(Comparator.comparing(Placed::place, order));
    Set<Side> ends = plan.query().ends();
    return rows.stream()
        .skip(plan.query().offset())
        .limit(plan.query().limit().orElse(Long.MAX_VALUE))
        .map(placed -> found(placed.row(), ends));
  }

  private static Found found(Joined row, Set<Side> ends) {
    return new Found(row.self().row(), end(row.left()), end(row.right())).with(ends);
  }

  private static Optional<Row> end(@Nullable View view) {
    return Optional.ofNullable(view).map(View::row);
  }

  @Override
  public List<Group> groups(Plan plan) {
    Grouping grouping = plan.grouping().orElseThrow();
    Values values = new Values(plan.binding());
    Judgement judgement = new Judgement(values);
    SortedMap<List<Cell>, List<Figure>> groups = new TreeMap<>(ScanExecutor::compareKeys);
    if (grouping.by().isEmpty()) {
      groups.put(List.of(), figures(plan, values, judgement));
    }
    new Matches(plan, source, judgement)
        .forEach(
            row ->
                groups
                    .computeIfAbsent(
                        key(grouping, values, row), k -> figures(plan, values, judgement))
                    .forEach(figure -> figure.add(row)));
    List<Group> result = new ArrayList<>();
    for (Map.Entry<List<Cell>, List<Figure>> entry : groups.entrySet()) {
      if (counts(grouping, entry.getValue())) {
        result.add(group(grouping, entry.getKey(), entry.getValue()));
      }
    }
    return result;
  }

  @Override
  public SortedMap<Long, Long> versions(Plan plan, TypeView type, Window window) {
    SortedMap<Long, Long> counts = new TreeMap<>();
    source.forEach(type, window, view -> counts.merge(view.row().schemaVersionId(), 1L, Long::sum));
    return counts;
  }

  private static int compareKeys(List<Cell> one, List<Cell> other) {
    for (int i = 0; i < one.size(); i++) {
      int compared = Sorting.compare(one.get(i), other.get(i), Direction.ASCENDING);
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static List<Cell> key(Grouping grouping, Values values, Joined row) {
    List<Cell> key = new ArrayList<>();
    for (Operand operand : grouping.by()) {
      key.add(values.cell(operand, row).orElse(Cell.Nothing.NOTHING));
    }
    return key;
  }

  private static List<Figure> figures(Plan plan, Values values, Judgement judgement) {
    List<Figure> figures = new ArrayList<>();
    for (Aggregate aggregate : plan.aggregates()) {
      figures.add(Figure.of(aggregate, values, judgement));
    }
    return figures;
  }

  private static boolean counts(Grouping grouping, List<Figure> figures) {
    return grouping
        .having()
        .map(
            having ->
                Judgement.compare(
                        figures.get(figures.size() - 1).result(),
                        having.comparison(),
                        having.value())
                    == Truth.TRUE)
        .orElse(true);
  }

  private static Group group(Grouping grouping, List<Cell> key, List<Figure> figures) {
    List<JsonNode> results = new ArrayList<>();
    for (int i = 0; i < grouping.aggregates().size(); i++) {
      results.add(figures.get(i).json());
    }
    return new Group(key.stream().map(Cells::json).toList(), results);
  }
}
