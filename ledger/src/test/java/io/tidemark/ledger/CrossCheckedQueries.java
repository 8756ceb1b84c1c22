// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.ledger.query.model.Filter;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Asks a ledger twice, by DuckDB and row by row, and insists on the same answer. */
record CrossCheckedQueries(Queries duckDb, Queries scan) {

  /** Whoever opened the ledger of this fixture may have it open still. */
  static CrossCheckedQueries of(LedgerFixture fixture) {
    LedgerOptions scan =
        LedgerFixture.options().withQueries(LedgerFixture.QUERIES.withEngine(Engine.SCAN));
    return new CrossCheckedQueries(fixture.open().query(), fixture.open(scan).query());
  }

  /** A ledger with D1 in commit 1. */
  static CrossCheckedQueries d1(LedgerFixture fixture) {
    Ledger ledger = fixture.init();
    Shop.commit(ledger);
    ledger.close(); // which leaves nothing to be done behind requests that are counted
    return of(fixture);
  }

  <A> A both(Function<Queries, A> question) {
    A answer = question.apply(duckDb);
    assertThat(question.apply(scan)).isEqualTo(answer);
    return answer;
  }

  long number(ToLongFunction<Queries> question) {
    return both(question::applyAsLong);
  }

  double real(ToDoubleFunction<Queries> question) {
    return both(question::applyAsDouble);
  }

  boolean holds(Predicate<Queries> question) {
    return both(question::test);
  }

  String text(Function<Queries, String> question) {
    return both(question);
  }

  List<String> lines(Function<Queries, List<String>> question) {
    return both(question);
  }

  /** The identities of the customers that a filter is true of, joined. */
  String customers(Filter filter) {
    return ids(queries -> queries.entities(Shop.Cust.class).where(filter));
  }

  /** The identities of the subscriptions that a filter is true of, joined. */
  String subs(Filter filter) {
    return ids(queries -> queries.relations(Shop.Sub.class).where(filter));
  }

  /** Identities in their order, joined by a space. */
  String ids(Function<Queries, QueryBuilder<?>> question) {
    return String.join(" ", told(question, resultRow -> resultRow.meta().identity().toString()));
  }

  /** Commits and identities in their order, such as {@code 1:c1}. */
  String versions(Function<Queries, QueryBuilder<?>> question) {
    return String.join(
        " ",
        told(
            question,
            resultRow -> resultRow.meta().commitId() + ":" + resultRow.meta().identity()));
  }

  List<String> told(
      Function<Queries, QueryBuilder<?>> question, Function<ResultRow<?>, String> words) {
    return both(
        queries ->
            question.apply(queries).list().stream()
                .map(resultRow -> words.apply(resultRow))
                .toList());
  }
}
