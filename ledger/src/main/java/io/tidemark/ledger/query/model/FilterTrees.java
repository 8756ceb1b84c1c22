// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import io.tidemark.ledger.query.model.Filter.And;
import io.tidemark.ledger.query.model.Filter.Any;
import io.tidemark.ledger.query.model.Filter.Compare;
import io.tidemark.ledger.query.model.Filter.In;
import io.tidemark.ledger.query.model.Filter.IsNull;
import io.tidemark.ledger.query.model.Filter.Match;
import io.tidemark.ledger.query.model.Filter.Not;
import io.tidemark.ledger.query.model.Filter.Or;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Traversals and mappings of filter trees. */
public final class FilterTrees {

  private FilterTrees() {}

  /** Passes on every leaf; a filter on the items of a list is one. */
  public static void leaves(Filter filter, Consumer<Filter> leaf) {
    if (filter instanceof And and) {
      and.parts().forEach(part -> leaves(part, leaf));
    } else if (filter instanceof Or or) {
      or.parts().forEach(part -> leaves(part, leaf));
    } else if (filter instanceof Not not) {
      leaves(not.part(), leaf);
    } else {
      leaf.accept(filter);
    }
  }

  /** Returns the tree with every leaf replaced. */
  public static Filter mapLeaves(Filter filter, UnaryOperator<Filter> change) {
    if (filter instanceof And and) {
      return new And(and.parts().stream().map(part -> mapLeaves(part, change)).toList());
    }
    if (filter instanceof Or or) {
      return new Or(or.parts().stream().map(part -> mapLeaves(part, change)).toList());
    }
    return filter instanceof Not not
        ? new Not(mapLeaves(not.part(), change))
        : change.apply(filter);
  }

  /** Returns the tree with the operand of every leaf replaced. */
  public static Filter mapOperands(Filter filter, UnaryOperator<Operand> change) {
    return mapLeaves(
        filter,
        leaf -> {
          if (leaf instanceof Compare compare) {
            return new Compare(
                change.apply(compare.operand()), compare.comparison(), compare.value());
          }
          if (leaf instanceof In in) {
            return new In(change.apply(in.operand()), in.values());
          }
          if (leaf instanceof Match match) {
            return new Match(change.apply(match.operand()), match.place(), match.text());
          }
          return leaf instanceof IsNull asks
              ? new IsNull(change.apply(asks.operand()), asks.nullness())
              : leaf;
        });
  }

  /** Returns the operand of a leaf; for a condition on a list that is the list. */
  public static Operand operand(Filter leaf) {
    if (leaf instanceof Compare compare) {
      return compare.operand();
    }
    if (leaf instanceof In in) {
      return in.operand();
    }
    if (leaf instanceof Match match) {
      return match.operand();
    }
    if (leaf instanceof IsNull asks) {
      return asks.operand();
    }
    if (leaf instanceof Any any) {
      return any.list();
    }
    throw new IllegalArgumentException("no leaf: " + leaf);
  }

  /** Returns whether a filter looks at an end of a relation. */
  public static boolean references(Filter filter, Side side) {
    boolean[] found = {false};
    leaves(
        filter, leaf -> found[0] |= operand(leaf) instanceof FieldPath path && path.side() == side);
    return found[0];
  }

  /**
   * Joins the parts by a word, with parentheses around parts that have several parts of their own.
   */
  static String joined(List<Filter> parts, String word) {
    if (parts.isEmpty()) {
      return word.equals(" and ") ? "true" : "false";
    }
    return parts.stream()
        .map(part -> parts.size() > 1 && isJoined(part) ? "(" + part + ")" : part.toString())
        .collect(Collectors.joining(word));
  }

  /**
   * Returns whether a filter is written as several parts; one that has a single part is that part.
   */
  private static boolean isJoined(Filter filter) {
    List<Filter> parts =
        filter instanceof And and ? and.parts() : filter instanceof Or or ? or.parts() : List.of();
    return parts.size() == 1 ? isJoined(parts.get(0)) : parts.size() > 1;
  }
}
