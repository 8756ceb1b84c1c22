// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.text.FilterParser;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.testkit.Seed;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a filter is written as can be read again, and means the same. */
class FiltersAreReadAsWrittenTest {

  @Test
  void randomFiltersAreReadAsTheyAreWritten() throws Exception {
    Seed seed = Seed.of("randomFiltersAreReadAsTheyAreWritten");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 4; i++) {
      try (RandomLedger world = new RandomLedger("w" + i, random)) {
        for (TypeId type : world.types()) {
          readAgain(world.binding(type), random, seed);
        }
      }
    }
  }

  private static void readAgain(Binding binding, RandomGenerator random, Seed seed) {
    RandomQueries queries = new RandomQueries(random, binding);
    for (int i = 0; i < 500; i++) {
      Filter filter = queries.query().filter();
      if (canBeWritten(filter)) {
        String written = filter.toString();
        assertThat(FilterParser.parse(written, binding.self().schema()))
            .as("%s", seed)
            .hasToString(written);
      }
    }
  }

  /** People say {@code is true} and never {@code < true}, and they say something. */
  private static boolean canBeWritten(Filter filter) {
    boolean[] can = {!filter.equals(Filter.all())};
    FilterTrees.leaves(filter, leaf -> can[0] &= canBeWrittenLeaf(leaf));
    return can[0];
  }

  private static boolean canBeWrittenLeaf(Filter leaf) {
    if (leaf instanceof Filter.Any any) {
      return canBeWritten(any.item());
    }
    return !(leaf instanceof Filter.Compare compare
        && compare.value() instanceof Literal.Bool
        && compare.comparison() != Filter.Comparison.EQ);
  }
}
