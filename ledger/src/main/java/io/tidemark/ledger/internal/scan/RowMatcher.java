// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.Identity.RelationKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Matcher of the rows of which a plan's filter is true, each with the rows at its ends. */
final class RowMatcher {

  private final QueryPlan queryPlan;
  private final RowSource source;
  private final FilterEvaluator filterEvaluator;
  private final Map<Side, Map<String, LazyRow>> states = new EnumMap<>(Side.class);
  private final Map<Side, Map<String, List<LazyRow>>> versions = new EnumMap<>(Side.class);

  RowMatcher(QueryPlan queryPlan, RowSource source, FilterEvaluator filterEvaluator) {
    this.queryPlan = queryPlan;
    this.source = source;
    this.filterEvaluator = filterEvaluator;
    for (Side side : List.of(Side.LEFT, Side.RIGHT)) {
      if (queryPlan.needsEnd(side)) {
        Map<String, LazyRow> state = new HashMap<>();
        readEnd(side, queryPlan.window().state(), lazyRow -> state.put(key(lazyRow), lazyRow));
        states.put(side, state);
      }
      if (queryPlan.filtersEndVersions()
          && FilterTrees.references(queryPlan.query().filter(), side)) {
        Map<String, List<LazyRow>> all = new HashMap<>();
        readEnd(
            side,
            queryPlan.window(),
            lazyRow -> all.computeIfAbsent(key(lazyRow), k -> new ArrayList<>()).add(lazyRow));
        versions.put(side, all);
      }
    }
  }

  private static String key(LazyRow lazyRow) {
    return lazyRow.row().identity().toString();
  }

  private void readEnd(Side side, Window window, Consumer<LazyRow> views) {
    TypeView type = queryPlan.binding().ends().get(side);
    if (type != null) {
      source.forEach(type, window, views);
    }
  }

  void forEach(Consumer<JoinedRow> rows) {
    Filter filter = queryPlan.query().filter();
    source.forEach(
        queryPlan.binding().self(),
        queryPlan.window(),
        lazyRow -> {
          JoinedRow row =
              new JoinedRow(lazyRow, state(lazyRow, Side.LEFT), state(lazyRow, Side.RIGHT));
          boolean matches =
              queryPlan.filtersEndVersions()
                  ? anyVersion(lazyRow, filter)
                  : filterEvaluator.evaluate(filter, row) == Truth.TRUE;
          if (matches) {
            rows.accept(row);
          }
        });
  }

  private @Nullable LazyRow state(LazyRow lazyRow, Side side) {
    Map<String, LazyRow> state = states.get(side);
    return state == null ? null : state.get(end(lazyRow, side));
  }

  private boolean anyVersion(LazyRow lazyRow, Filter filter) {
    for (LazyRow left : versions(lazyRow, Side.LEFT)) {
      for (LazyRow right : versions(lazyRow, Side.RIGHT)) {
        if (filterEvaluator.evaluate(filter, new JoinedRow(lazyRow, left, right)) == Truth.TRUE) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns all there are, or null alone: then leaves that look there are unknown. */
  private List<@Nullable LazyRow> versions(LazyRow lazyRow, Side side) {
    List<@Nullable LazyRow> found = new ArrayList<>();
    Map<String, List<LazyRow>> known = versions.get(side);
    if (known != null) {
      found.addAll(known.getOrDefault(end(lazyRow, side), List.of()));
    }
    if (found.isEmpty()) {
      found.add(null);
    }
    return found;
  }

  private static String end(LazyRow lazyRow, Side side) {
    RelationKey key = (RelationKey) lazyRow.row().identity();
    return side == Side.LEFT ? key.left() : key.right();
  }
}
