// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.internal.plan.Grouping.Having;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.SortKey;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Finder of the ends of relations that a query or its parts refer to. Of the other ends a query
 * needn't even know the type, so it is answered even when they can't be read.
 */
public final class ReferencedSides {

  private ReferencedSides() {}

  /** Returns the ends that a query or its figures look at or bring along. */
  public static Set<Side> of(Query query, Optional<Grouping> grouping) {
    Set<Side> sides = EnumSet.noneOf(Side.class);
    sides.addAll(query.ends());
    sides.addAll(ofOrder(query));
    for (Side side : new Side[] {Side.LEFT, Side.RIGHT}) {
      if (FilterTrees.references(query.filter(), side)) {
        sides.add(side);
      }
    }
    grouping.ifPresent(
        asked -> {
          sides.addAll(of(asked.by()));
          asked.aggregates().values().forEach(each -> sides.addAll(of(each)));
          asked.having().map(Having::aggregate).ifPresent(each -> sides.addAll(of(each)));
        });
    return sides;
  }

  /** Returns the ends that rows are ordered by. */
  public static Set<Side> ofOrder(Query query) {
    return of(query.orders().stream().map(SortKey::operand).toList());
  }

  /** Returns the ends that a figure looks at. */
  static Set<Side> of(Aggregate aggregate) {
    Set<Side> sides = EnumSet.noneOf(Side.class);
    if (aggregate instanceof Aggregate.OfValues of) {
      sides.addAll(of(Set.of(of.operand())));
    } else if (aggregate instanceof Aggregate.CountWhere where) {
      for (Side side : new Side[] {Side.LEFT, Side.RIGHT}) {
        if (FilterTrees.references(where.filter(), side)) {
          sides.add(side);
        }
      }
    }
    return sides;
  }

  /** Returns the ends that operands look at. */
  static Set<Side> of(Collection<Operand> operands) {
    Set<Side> sides = EnumSet.noneOf(Side.class);
    for (Operand operand : operands) {
      if (operand instanceof FieldPath path && path.side() != Side.SELF) {
        sides.add(path.side());
      }
    }
    return sides;
  }
}
