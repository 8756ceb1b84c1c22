// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Grouping.Having;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query that can be answered: its paths exist, and its past is a range of commits.
 *
 * <p>A condition on an end of a relation is judged by the state of that end, as of the same commit.
 * Where each version of a relation is a row, it holds if it does for any version of the end in the
 * same range; what rows are ordered or grouped by, and what comes along, is still the state.
 *
 * @param query its filter is checked
 * @param grouping the figures that are asked for instead of rows
 */
public record QueryPlan(Query query, Window window, Binding binding, Optional<Grouping> grouping) {

  /** Checks a query against its types, and returns its plan. */
  public static QueryPlan of(
      Query query, Window window, Binding binding, Optional<Grouping> grouping) {
    Query checked =
        new Query(
            query.type(),
            binding.checked(query.filter()),
            query.orders(),
            query.limit(),
            query.offset(),
            query.after(),
            query.temporal(),
            query.ends());
    checked.orders().forEach(sortKey -> binding.checkValue(sortKey.operand()));
    checked.after().ifPresent(cursor -> check(checked, cursor));
    grouping.ifPresent(asked -> refusePages(checked));
    return new QueryPlan(checked, window, binding, grouping.map(asked -> checked(asked, binding)));
  }

  private static void check(Query query, Cursor cursor) {
    boolean entity = cursor.identity() instanceof Identity.EntityKey;
    if (cursor.values().size() != query.orders().size()
        || entity != (query.type().kind() == TypeKind.ENTITY)) {
      throw new InvalidQueryException(
          "the cursor is of a query with another order or type; give one of this very query");
    }
  }

  private static void refusePages(Query query) {
    boolean paged =
        query.limit().isPresent()
            || query.offset() > 0
            || query.after().isPresent()
            || !query.orders().isEmpty();
    if (paged) {
      throw new InvalidQueryException(
          "a figure is about all rows of a query, but this one has an order, a limit, an offset or"
              + " a cursor; leave these out");
    }
  }

  private static Grouping checked(Grouping grouping, Binding binding) {
    grouping.by().forEach(binding::checkValue);
    Map<String, Aggregate> aggregates = new LinkedHashMap<>();
    grouping.aggregates().forEach((name, each) -> aggregates.put(name, checked(each, binding)));
    Optional<Having> having =
        grouping
            .having()
            .map(
                held ->
                    new Having(
                        checked(held.aggregate(), binding), held.comparison(), held.value()));
    return new Grouping(grouping.by(), aggregates, having);
  }

  private static Aggregate checked(Aggregate aggregate, Binding binding) {
    if (aggregate instanceof Aggregate.OfValues values) {
      binding.checkValue(values.operand());
    } else if (aggregate instanceof Aggregate.AvgLen length) {
      binding.checkList(length.list());
    } else if (aggregate instanceof Aggregate.CountWhere where) {
      return new Aggregate.CountWhere(binding.checked(where.filter()));
    }
    return aggregate;
  }

  /** Returns whether the filter is to be judged for every version of an end. */
  public boolean filtersEndVersions() {
    return window.shape() == Shape.HISTORY
        && (FilterTrees.references(query.filter(), Side.LEFT)
            || FilterTrees.references(query.filter(), Side.RIGHT));
  }

  /** Returns whether the state of an end is looked at. */
  public boolean needsEnd(Side side) {
    boolean hydrated = query.ends().contains(side) && grouping.isEmpty();
    boolean filtered = !filtersEndVersions() && FilterTrees.references(query.filter(), side);
    return hydrated
        || filtered
        || ReferencedSides.ofOrder(query).contains(side)
        || grouping.filter(asked -> ReferencedSides.of(asked.by()).contains(side)).isPresent()
        || aggregates().stream().anyMatch(each -> ReferencedSides.of(each).contains(side));
  }

  /** Returns every figure to compute: those asked for, and then the one that groups must meet. */
  public List<Aggregate> aggregates() {
    List<Aggregate> all = new ArrayList<>();
    grouping.ifPresent(
        asked -> {
          all.addAll(asked.aggregates().values());
          asked.having().ifPresent(having -> all.add(having.aggregate()));
        });
    return all;
  }

  /** Returns the values by which rows are ordered, of the row that ended the page before. */
  public List<Cell> cells(Cursor cursor) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < query.orders().size(); i++) {
      Column column = binding.column(query.orders().get(i).operand());
      JsonNode value = cursor.values().get(i);
      cells.add(
          column instanceof Column.Typed typed
              ? CellConverter.typed(typed.scalar(), value)
              : CellConverter.untyped(value));
    }
    return cells;
  }
}
