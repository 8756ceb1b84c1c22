// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.CellConverter;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryExecutor;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.scan.RowOrdering.SortValues;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.SortKey.Direction;
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

/** Executor that answers queries by looking at every row. What it finds is kept in memory. */
public final class ScanExecutor implements QueryExecutor {

  private final RowSource source;

  public ScanExecutor(RowSource source) {
    this.source = source;
  }

  private record SortableRow(SortValues place, JoinedRow row) {}

  @Override
  public Stream<MatchedRow> rows(QueryPlan queryPlan) {
    OperandEvaluator operandEvaluator = new OperandEvaluator(queryPlan.binding());
    RowOrdering rowOrdering = new RowOrdering(queryPlan, operandEvaluator);
    Comparator<SortValues> order = rowOrdering.comparator();
    Optional<SortValues> after =
        queryPlan.query().after().map(cursor -> RowOrdering.sortValues(queryPlan, cursor));
    List<SortableRow> rows = new ArrayList<>();
    new RowMatcher(queryPlan, source, new FilterEvaluator(operandEvaluator))
        .forEach(
            row -> {
              SortValues sortValues = rowOrdering.sortValues(row);
              if (after.isEmpty() || order.compare(sortValues, after.get()) > 0) {
                rows.add(new SortableRow(sortValues, row));
              }
            });
    rows.sort(Comparator.comparing(SortableRow::place, order));
    Set<Side> ends = queryPlan.query().ends();
    return rows.stream()
        .skip(queryPlan.query().offset())
        .limit(queryPlan.query().limit().orElse(Long.MAX_VALUE))
        .map(sortableRow -> found(sortableRow.row(), ends));
  }

  private static MatchedRow found(JoinedRow row, Set<Side> ends) {
    return new MatchedRow(row.self().row(), end(row.left()), end(row.right())).withEnds(ends);
  }

  private static Optional<Row> end(@Nullable LazyRow lazyRow) {
    return Optional.ofNullable(lazyRow).map(LazyRow::row);
  }

  @Override
  public List<Group> groups(QueryPlan queryPlan) {
    Grouping grouping = queryPlan.grouping().orElseThrow();
    OperandEvaluator operandEvaluator = new OperandEvaluator(queryPlan.binding());
    FilterEvaluator filterEvaluator = new FilterEvaluator(operandEvaluator);
    SortedMap<List<Cell>, List<Aggregator>> groups = new TreeMap<>(ScanExecutor::compareKeys);
    if (grouping.by().isEmpty()) {
      groups.put(List.of(), figures(queryPlan, operandEvaluator, filterEvaluator));
    }
    new RowMatcher(queryPlan, source, filterEvaluator)
        .forEach(
            row ->
                groups
                    .computeIfAbsent(
                        key(grouping, operandEvaluator, row),
                        k -> figures(queryPlan, operandEvaluator, filterEvaluator))
                    .forEach(aggregator -> aggregator.add(row)));
    List<Group> result = new ArrayList<>();
    for (Map.Entry<List<Cell>, List<Aggregator>> entry : groups.entrySet()) {
      if (counts(grouping, entry.getValue())) {
        result.add(group(grouping, entry.getKey(), entry.getValue()));
      }
    }
    return result;
  }

  @Override
  public SortedMap<Long, Long> versions(QueryPlan queryPlan, TypeView type, Window window) {
    SortedMap<Long, Long> counts = new TreeMap<>();
    source.forEach(
        type, window, lazyRow -> counts.merge(lazyRow.row().schemaVersionId(), 1L, Long::sum));
    return counts;
  }

  private static int compareKeys(List<Cell> one, List<Cell> other) {
    for (int i = 0; i < one.size(); i++) {
      int compared = RowOrdering.compare(one.get(i), other.get(i), Direction.ASCENDING);
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static List<Cell> key(
      Grouping grouping, OperandEvaluator operandEvaluator, JoinedRow row) {
    List<Cell> key = new ArrayList<>();
    for (Operand operand : grouping.by()) {
      key.add(operandEvaluator.cell(operand, row).orElse(Cell.Nothing.NOTHING));
    }
    return key;
  }

  private static List<Aggregator> figures(
      QueryPlan queryPlan, OperandEvaluator operandEvaluator, FilterEvaluator filterEvaluator) {
    List<Aggregator> figures = new ArrayList<>();
    for (Aggregate aggregate : queryPlan.aggregates()) {
      figures.add(Aggregator.of(aggregate, operandEvaluator, filterEvaluator));
    }
    return figures;
  }

  private static boolean counts(Grouping grouping, List<Aggregator> figures) {
    return grouping
        .having()
        .map(
            having ->
                FilterEvaluator.compare(
                        figures.get(figures.size() - 1).result(),
                        having.comparison(),
                        having.value())
                    == Truth.TRUE)
        .orElse(true);
  }

  private static Group group(Grouping grouping, List<Cell> key, List<Aggregator> figures) {
    List<JsonNode> results = new ArrayList<>();
    for (int i = 0; i < grouping.aggregates().size(); i++) {
      results.add(figures.get(i).json());
    }
    return new Group(key.stream().map(CellConverter::json).toList(), results);
  }
}
