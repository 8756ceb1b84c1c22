// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.any;
import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Shop.Cust;
import io.tidemark.ledger.query.GroupBuilder;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.ResultPage;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The cases E on D1: order, pages, figures and groups. */
interface AggregateContract {

  LedgerFixture fixture();

  private static QueryBuilder<Cust> customers(Queries queries) {
    return queries.entities(Cust.class);
  }

  @Test
  default void e2_orderLimitAndOffset() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("id").limit(2).offset(1)))
        .isEqualTo("c2 c3");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("id").limit(0))).isEqualTo("");
    assertThat(crossCheckedQueries.ids(q -> customers(q).offset(3))).isEqualTo("c4");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("age"))).isEqualTo("c2 c1 c4 c3");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("age", Direction.DESCENDING)))
        .as("nothing is last either way")
        .isEqualTo("c4 c1 c2 c3");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("name"))).isEqualTo("c1 c3 c4 c2");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("tier"))).isEqualTo("c1 c3 c4 c2");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("active")))
        .isEqualTo("c2 c4 c1 c3");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("profile.m.s")))
        .isEqualTo("c2 c1 c3 c4");
    assertThat(crossCheckedQueries.ids(q -> customers(q).orderBy("active").orderBy("age")))
        .isEqualTo("c2 c4 c1 c3");
  }

  @Test
  default void e3_pagesAreDisjointAndComplete() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = 0; i < 10; i++) {
        session.ensure(Customer.of("c" + i, i % 4));
      }
      session.commit();
      CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());
      List<String> byOffset = new ArrayList<>();
      for (int page = 0; page < 4; page++) {
        long offset = 3L * page;
        byOffset.add(
            crossCheckedQueries.ids(
                q -> q.entities(Customer.class).orderBy("age").limit(3).offset(offset)));
      }
      assertThat(byOffset).containsExactly("c0 c4 c8", "c1 c5 c9", "c2 c6 c3", "c7");

      Optional<Cursor> next = Optional.empty();
      for (String expected : byOffset) {
        Optional<Cursor> after = next;
        ResultPage<Customer> resultPage = crossCheckedQueries.both(q -> page(q, after));
        assertThat(String.join(" ", resultPage.hits().stream().map(h -> h.value().id()).toList()))
            .isEqualTo(expected);
        next = resultPage.next().map(cursor -> Cursor.decode(cursor.encoded()));
        session.ensure(Customer.of("a" + expected.hashCode(), 3)).commit();
      }
      assertThat(next).as("the last page says so, whatever was committed meanwhile").isEmpty();
    }
  }

  @Test
  default void e3_rowsCanBeReadOneByOneAndLeft() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    for (Queries queries : List.of(crossCheckedQueries.duckDb(), crossCheckedQueries.scan())) {
      try (Stream<ResultRow<Cust>> rows = customers(queries).orderBy("id").stream()) {
        assertThat(rows.map(resultRow -> resultRow.value().id()).limit(2))
            .containsExactly("c1", "c2");
      }
      try (Stream<ResultRow<Cust>> rows = customers(queries).orderBy("id").asOf(1).stream()) {
        assertThat(
                rows.map(
                    resultRow -> resultRow.meta().identity() + "@" + resultRow.meta().commitId()))
            .containsExactly("c1@1", "c2@1", "c3@1", "c4@1");
      }
    }
  }

  private static ResultPage<Customer> page(Queries queries, Optional<Cursor> after) {
    QueryBuilder<Customer> query = queries.entities(Customer.class).orderBy("age").limit(3);
    return after.map(query::after).orElse(query).page();
  }

  @Test
  default void e4_countsSumsAndAverages() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.number(q -> customers(q).count())).isEqualTo(4);
    assertThat(
            crossCheckedQueries.number(
                q -> customers(q).sum("age").decimalValue().longValueExact()))
        .isEqualTo(139);
    assertThat(crossCheckedQueries.real(q -> customers(q).avg("age").asDouble()))
        .isCloseTo(139 / 3.0, within(1e-12));
    assertThat(crossCheckedQueries.number(q -> customers(q).min("age").asLong())).isEqualTo(9);
    assertThat(crossCheckedQueries.number(q -> customers(q).max("age").asLong())).isEqualTo(100);
    assertThat(crossCheckedQueries.real(q -> customers(q).sum("score").asDouble()))
        .isEqualTo(21.75);
    assertThat(crossCheckedQueries.real(q -> customers(q).avg("score").asDouble())).isEqualTo(7.25);
    assertThat(crossCheckedQueries.text(q -> customers(q).min("name").asText())).isEqualTo("Alice");
    assertThat(crossCheckedQueries.text(q -> customers(q).max("name").asText())).isEqualTo("bob");
    assertThat(crossCheckedQueries.number(q -> customers(q).sum("profile.m.s").asLong()))
        .isEqualTo(103);
    assertThat(crossCheckedQueries.real(q -> customers(q).avg("profile.m.s").asDouble()))
        .isEqualTo(51.5);
    assertThat(crossCheckedQueries.number(q -> customers(q).min("profile.m.s").asLong()))
        .isEqualTo(8);
    assertThat(crossCheckedQueries.number(q -> customers(q).max("profile.m.s").asLong()))
        .isEqualTo(95);
  }

  @Test
  default void e5_e6_figuresAboutNothingAreNull() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    for (Function<QueryBuilder<Cust>, JsonNode> figure : figures()) {
      assertThat(
              crossCheckedQueries.holds(
                  q -> figure.apply(customers(q).where(field("age").eq(12345))).isNull()))
          .isTrue();
    }
    assertThat(crossCheckedQueries.number(q -> customers(q).where(field("age").eq(12345)).count()))
        .isZero();
    assertThat(
            crossCheckedQueries.holds(
                q -> customers(q).where(field("age").isNull()).sum("age").isNull()))
        .isTrue();
    assertThat(crossCheckedQueries.number(q -> customers(q).where(field("age").isNull()).count()))
        .isEqualTo(1);
    assertThat(crossCheckedQueries.holds(q -> customers(q).sum("name").isNull()))
        .as("of text")
        .isTrue();
  }

  private static List<Function<QueryBuilder<Cust>, JsonNode>> figures() {
    return List.of(
        query -> query.sum("age"),
        query -> query.avg("age"),
        query -> query.min("age"),
        query -> query.max("age"),
        query -> query.avgLen("events"));
  }

  @Test
  default void e8_e9_listsAndConditions() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.real(q -> customers(q).avgLen("events").asDouble()))
        .isEqualTo(1.0);
    assertThat(
            crossCheckedQueries.real(
                q -> customers(q).where(field("name").eq("Alice")).avgLen("events").asDouble()))
        .isEqualTo(2.0);
    assertThat(
            crossCheckedQueries.holds(
                q -> customers(q).where(field("name").eq("alan")).avgLen("events").isNull()))
        .as("of rows that have no list")
        .isTrue();
    assertThat(
            crossCheckedQueries.number(
                q -> customers(q).countWhere(any("events", field("ts").gt(1)))))
        .isEqualTo(2);
  }

  private static List<String> groups(
      Queries queries, Function<GroupBuilder, GroupBuilder> with, String... by) {
    Map<String, Aggregate> figures = new LinkedHashMap<>();
    figures.put("n", Aggregate.count());
    figures.put("sum", Aggregate.sum("age"));
    figures.put("min", Aggregate.min("age"));
    figures.put("max", Aggregate.max("age"));
    return with.apply(customers(queries).groupBy(by)).agg(figures).stream()
        .map(group -> group.key().values() + " " + group.figures().values())
        .toList();
  }

  @Test
  default void e10_e11_e13_groups() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.lines(q -> groups(q, by -> by, "tier")))
        .as("E10")
        .containsExactly(
            "[\"Gold\"] [2, 30, 30, 30]",
            "[\"Silver\"] [1, 100, 100, 100]",
            "[\"Standard\"] [1, 9, 9, 9]");
    assertThat(crossCheckedQueries.lines(q -> groups(q, by -> by, "age")))
        .as("E11")
        .containsExactly(
            "[9] [1, 9, 9, 9]",
            "[30] [1, 30, 30, 30]",
            "[100] [1, 100, 100, 100]",
            "[null] [1, null, null, null]");
    assertThat(crossCheckedQueries.lines(q -> groups(q, by -> by, "profile.address.city")))
        .as("E13")
        .containsExactly(
            "[\"LA\"] [1, 9, 9, 9]", "[\"SF\"] [1, 30, 30, 30]", "[null] [2, 100, 100, 100]");
    assertThat(crossCheckedQueries.lines(q -> groups(q, by -> by, "active", "tier")))
        .containsExactly(
            "[false, \"Silver\"] [1, 100, 100, 100]",
            "[false, \"Standard\"] [1, 9, 9, 9]",
            "[true, \"Gold\"] [2, 30, 30, 30]");
  }

  @Test
  default void e12_groupsAreHeldToAFigure() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(
            crossCheckedQueries.lines(
                q -> groups(q, by -> by.having(Aggregate.sum("age"), Comparison.GT, 30), "tier")))
        .containsExactly("[\"Silver\"] [1, 100, 100, 100]");
    assertThat(
            crossCheckedQueries.lines(
                q -> groups(q, by -> by.having(Aggregate.count(), Comparison.GT, 1), "tier")))
        .containsExactly("[\"Gold\"] [2, 30, 30, 30]");
    assertThat(
            crossCheckedQueries.lines(
                q ->
                    groups(
                        q, by -> by.having(Aggregate.max("name"), Comparison.GE, "bob"), "tier")))
        .as("by a figure that isn't asked for")
        .containsExactly("[\"Standard\"] [1, 9, 9, 9]");
  }

  @Test
  default void figuresRefuseWhatTheyWouldHaveToIgnore() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThatThrownBy(() -> customers(crossCheckedQueries.duckDb()).limit(2).count())
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("limit");
    assertThatThrownBy(
            () -> customers(crossCheckedQueries.duckDb()).groupBy("events").agg(Map.of()))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("events");
    assertThatThrownBy(() -> Cursor.decode("!"))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("\"!\"");
  }

  @Entity
  record Order(@Key String id, String country, double amount) {}

  @Test
  default void e14_ordersByCountry() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Order.class))) {
      session.ensure(
          List.of(
              new Order("o1", "US", 100), new Order("o2", "US", 200), new Order("o3", "UK", 150)));
      session.commit();
    }
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    assertThat(crossCheckedQueries.real(q -> q.entities(Order.class).sum("amount").asDouble()))
        .isEqualTo(450);
    assertThat(crossCheckedQueries.real(q -> q.entities(Order.class).avg("amount").asDouble()))
        .isEqualTo(150);
    assertThat(
            crossCheckedQueries.lines(q -> byCountry(q.entities(Order.class).groupBy("country"))))
        .containsExactly("[\"UK\"] [1, 150.0]", "[\"US\"] [2, 300.0]");
    assertThat(
            crossCheckedQueries.lines(
                q ->
                    byCountry(
                        q.entities(Order.class)
                            .groupBy("country")
                            .having(Aggregate.sum("amount"), Comparison.GT, 200))))
        .containsExactly("[\"US\"] [2, 300.0]");
  }

  /** Which lie in payloads without columns of their own, so that their kind is seen row by row. */
  @Entity
  record Reading(@Key String id, Map<String, Double> values) {}

  @Test
  default void theGreatestOfDoublesIsComparedAsADouble() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Reading.class))) {
      session.ensure(new Reading("r1", Map.of("a", 0x1p64)));
      session.commit();
    }
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    assertThat(
            crossCheckedQueries.lines(
                q ->
                    q
                        .entities(Reading.class)
                        .groupBy("id")
                        .having(
                            Aggregate.max("values.a"),
                            Comparison.EQ,
                            new BigInteger("18446744073709551615"))
                        .agg(Map.of("n", Aggregate.count()))
                        .stream()
                        .map(group -> group.key().values() + " " + group.figures().values())
                        .toList()))
        .as("which has no room for the one that is missing")
        .containsExactly("[\"r1\"] [1]");
  }

  private static List<String> byCountry(GroupBuilder groups) {
    Map<String, Aggregate> figures = new LinkedHashMap<>();
    figures.put("n", Aggregate.count());
    figures.put("sum", Aggregate.sum("amount"));
    return groups.agg(figures).stream()
        .map(group -> group.key().values() + " " + group.figures().values())
        .toList();
  }
}
