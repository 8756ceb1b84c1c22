// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.Trees;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.Identity.RelationKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rows of which a plan's filter is true, each with what is at its ends. */
final class Matches {

  private final Plan plan;
  private final RowSource source;
  private final Judgement judgement;
  private final Map<Side, Map<String, View>> states = new EnumMap<>(Side.class);
  private final Map<Side, Map<String, List<View>>> versions = new EnumMap<>(Side.class);

  Matches(Plan plan, RowSource source, Judgement judgement) {
    this.plan = plan;
    this.source = source;
    this.judgement = judgement;
    for (Side side : List.of(Side.LEFT, Side.RIGHT)) {
      if (plan.needsEnd(side)) {
        Map<String, View> state = new HashMap<>();
        readEnd(side, plan.window().state(), view -> state.put(key(view), view));
        states.put(side, state);
      }
      if (plan.judgesEndVersions() && Trees.looksAt(plan.query().filter(), side)) {
        Map<String, List<View>> all = new HashMap<>();
        readEnd(
            side,
            plan.window(),
            view -> all.computeIfAbsent(key(view), k -> new ArrayList<>()).add(view));
        versions.put(side, all);
      }
    }
  }

  private static String key(View view) {
    return view.row().identity().toString();
  }

  private void readEnd(Side side, Window window, Consumer<View> views) {
    TypeView type = plan.binding().ends().get(side);
    if (type != null) {
      source.forEach(type, window, views);
    }
  }

  void forEach(Consumer<Joined> rows) {
    Filter filter = plan.query().filter();
    source.forEach(
        plan.binding().self(),
        plan.window(),
        view -> {
          Joined row = new Joined(view, state(view, Side.LEFT), state(view, Side.RIGHT));
          boolean matches =
              plan.judgesEndVersions()
                  ? anyVersion(view, filter)
                  : judgement.of(filter, row) == Truth.TRUE;
          if (matches) {
            rows.accept(row);
          }
        });
  }

  private @Nullable View state(View view, Side side) {
    Map<String, View> state = states.get(side);
    return state == null ? null : state.get(end(view, side));
  }

  private boolean anyVersion(View view, Filter filter) {
    for (View left : versions(view, Side.LEFT)) {
      for (View right : versions(view, Side.RIGHT)) {
        if (judgement.of(filter, new Joined(view, left, right)) == Truth.TRUE) {
          return true;
        }
      }
    }
    return false;
  }

  /** All there are, or null alone: then leaves that look there are unknown. */
  private List<@Nullable View> versions(View view, Side side) {
    List<@Nullable View> found = new ArrayList<>();
    Map<String, List<View>> known = versions.get(side);
    if (known != null) {
      found.addAll(known.getOrDefault(end(view, side), List.of()));
    }
    if (found.isEmpty()) {
      found.add(null);
    }
    return found;
  }

  private static String end(View view, Side side) {
    RelationKey key = (RelationKey) view.row().identity();
    return side == Side.LEFT ? key.left() : key.right();
  }
}
