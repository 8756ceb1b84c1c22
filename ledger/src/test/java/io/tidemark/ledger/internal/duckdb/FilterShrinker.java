// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.And;
import io.tidemark.ledger.query.model.Filter.Any;
import io.tidemark.ledger.query.model.Filter.In;
import io.tidemark.ledger.query.model.Filter.Not;
import io.tidemark.ledger.query.model.Filter.Or;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Makes filters smaller for as long as they show what is wrong. */
final class FilterShrinker {

  private FilterShrinker() {}

  static Filter smallest(Filter filter, Predicate<Filter> fails) {
    Filter best = filter;
    Optional<Filter> next = smaller(best).stream().filter(fails).findFirst();
    while (next.isPresent()) {
      best = next.get();
      next = smaller(best).stream().filter(fails).findFirst();
    }
    return best;
  }

  private static List<Filter> smaller(Filter filter) {
    if (filter instanceof And and) {
      return parts(and.parts(), And::new);
    }
    if (filter instanceof Or or) {
      return parts(or.parts(), Or::new);
    }
    if (filter instanceof Not not) {
      List<Filter> all = new ArrayList<>(List.of(not.part()));
      smaller(not.part()).forEach(part -> all.add(new Not(part)));
      return all;
    }
    if (filter instanceof Any any) {
      return smaller(any.item()).stream().<Filter>map(i -> new Any(any.list(), i)).toList();
    }
    List<Filter> all = new ArrayList<>();
    if (filter instanceof In in) {
      for (int i = 0; i < in.values().size(); i++) {
        all.add(new In(in.operand(), without(in.values(), i)));
      }
    }
    return all;
  }

  private static List<Filter> parts(List<Filter> parts, Function<List<Filter>, Filter> join) {
    List<Filter> all = new ArrayList<>(parts);
    for (int i = 0; i < parts.size(); i++) {
      all.add(join.apply(without(parts, i)));
      for (Filter part : smaller(parts.get(i))) {
        List<Filter> changed = new ArrayList<>(parts);
        changed.set(i, part);
        all.add(join.apply(changed));
      }
    }
    return all;
  }

  private static <T> List<T> without(List<T> list, int index) {
    List<T> rest = new ArrayList<>(list);
    rest.remove(index);
    return rest;
  }
}
