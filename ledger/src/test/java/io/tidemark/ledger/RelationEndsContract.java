// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.field;
import static io.tidemark.ledger.query.model.Fields.left;
import static io.tidemark.ledger.query.model.Fields.meta;
import static io.tidemark.ledger.query.model.Fields.right;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.Shop.Cust;
import io.tidemark.ledger.Shop.Prod;
import io.tidemark.ledger.Shop.Sub;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.RelationEnd;
import io.tidemark.ledger.query.ResultPage;
import io.tidemark.ledger.query.TraversalResult;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The cases R on D1: relations, what is at their ends, and where they lead. */
interface RelationEndsContract {

  LedgerFixture fixture();

  @Test
  default void r1_r2_r3_r6_conditionsOnEnds() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.subs(left("tier").eq("Gold")))
        .as("R1")
        .isEqualTo("(c1, p1) (c1, p2)");
    assertThat(crossCheckedQueries.subs(right("price").gt(10)))
        .as("R2")
        .isEqualTo("(c1, p2) (zz, p2)");
    assertThat(crossCheckedQueries.subs(left("age").gt(20).and(right("price").gt(10))))
        .as("R3")
        .isEqualTo("(c1, p2)");
    assertThat(crossCheckedQueries.subs(left("email").isNull())).as("R6").isEqualTo("(c2, p1)");
    assertThat(crossCheckedQueries.subs(left("profile.address.city").eq("LA")))
        .isEqualTo("(c2, p1)");
    assertThat(crossCheckedQueries.subs(meta(MetaField.LEFT).eq("zz"))).isEqualTo("(zz, p2)");
  }

  @Test
  default void theRealTreeIsEvaluatedAndAMissingEndIsUnknown() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());
    Filter old = left("age").gt(20);

    assertThat(crossCheckedQueries.subs(old.or(field("seats").eq(7))))
        .isEqualTo("(c1, p1) (c1, p2) (zz, p2)");
    assertThat(crossCheckedQueries.subs(old.or(right("price").gt(10))))
        .isEqualTo("(c1, p1) (c1, p2) (zz, p2)");
    assertThat(crossCheckedQueries.subs(old.not())).isEqualTo("(c2, p1)");
    assertThat(crossCheckedQueries.subs(old.and(field("seats").gt(5)).not()))
        .isEqualTo("(c1, p1) (c2, p1)");
    assertThat(crossCheckedQueries.subs(left("email").isNotNull())).isEqualTo("(c1, p1) (c1, p2)");
    assertThat(crossCheckedQueries.subs(left("tier").in())).isEqualTo("");
    assertThat(crossCheckedQueries.subs(left("tier").in().not()))
        .isEqualTo("(c1, p1) (c1, p2) (c2, p1)");
  }

  @Test
  default void r7_figuresHonourConditionsOnEnds() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());
    Filter old = left("age").gt(20);

    assertThat(crossCheckedQueries.number(q -> q.relations(Sub.class).where(old).count()))
        .isEqualTo(2);
    assertThat(
            crossCheckedQueries.number(
                q -> q.relations(Sub.class).where(old).sum("seats").asLong()))
        .isEqualTo(15);
    assertThat(crossCheckedQueries.number(q -> q.relations(Sub.class).countWhere(old)))
        .isEqualTo(2);
    assertThat(crossCheckedQueries.number(q -> q.relations(Sub.class).max("left.age").asLong()))
        .isEqualTo(30);
  }

  private static List<String> groups(Queries queries, String by) {
    Map<String, Aggregate> figures = new LinkedHashMap<>();
    figures.put("n", Aggregate.count());
    figures.put("seats", Aggregate.sum("seats"));
    return queries.relations(Sub.class).groupBy(by).agg(figures).stream()
        .map(group -> group.key() + " " + group.figures().values())
        .toList();
  }

  @Test
  default void r8_r9_groupsAndOrder() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.lines(q -> groups(q, "left.tier")))
        .as("R8")
        .containsExactly(
            "{tier=\"Gold\"} [2, 15]", "{tier=\"Standard\"} [1, 2]", "{tier=null} [1, 7]");
    assertThat(crossCheckedQueries.lines(q -> groups(q, "right.name")))
        .containsExactly("{name=\"G\"} [2, 17]", "{name=\"W\"} [2, 7]");
    assertThat(
            crossCheckedQueries.told(
                q -> q.relations(Sub.class).orderBy("seats"),
                resultRow -> Long.toString(((Sub) resultRow.value()).seats())))
        .as("R9")
        .containsExactly("2", "5", "7", "10");
    assertThat(crossCheckedQueries.ids(q -> q.relations("Sub").orderBy("left.age").limit(3)))
        .isEqualTo("(c2, p1) (c1, p1) (c1, p2)");
  }

  @Test
  default void r10_endsComeAlong() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(
            crossCheckedQueries.told(
                q -> q.relations(Sub.class).withEnds(),
                resultRow ->
                    resultRow.left().map(relationEnd -> relationEnd.as(Cust.class).name())
                        + " "
                        + resultRow.right().map(relationEnd -> relationEnd.as(Prod.class).name())))
        .containsExactly(
            "Optional[Alice] Optional[W]",
            "Optional[Alice] Optional[G]",
            "Optional[bob] Optional[W]",
            "Optional.empty Optional[G]");
    assertThat(crossCheckedQueries.duckDb().relations(Sub.class).first().orElseThrow().left())
        .as("only if they are asked for")
        .isEqualTo(Optional.<RelationEnd>empty());
    QueryBuilder<Sub> both = crossCheckedQueries.duckDb().relations(Sub.class).withEnds();
    assertThat(both.explain().sql().split(" LEFT JOIN ", -1)).as("one query for all").hasSize(3);
    assertThat(fixture().counting().during(() -> assertThat(both.list()).hasSize(4)).total())
        .as("and the head is all that the store is asked for")
        .isEqualTo(1);
  }

  /**
   * What a ledger knows of a type, and its rows, may be lost; who doesn't look at it is answered.
   */
  @Test
  default void r9_pagesInTheOrderOfOneEndDoWithoutTheOther() {
    Shop.commit(fixture().init());
    fixture().delete("meta/schema/versions/entity/Prod.json");
    fixture().paths("commits/").stream()
        .filter(path -> path.endsWith("/entities/Prod.parquet"))
        .forEach(fixture()::delete);
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    QueryBuilder<ObjectNode> ordered =
        crossCheckedQueries.duckDb().relations("Sub").orderBy("left.age");
    ResultPage<ObjectNode> first = ordered.limit(2).page();
    assertThat(first.hits())
        .extracting(resultRow -> resultRow.meta().identity().toString())
        .containsExactly("(c2, p1)", "(c1, p1)");
    assertThat(first.hits())
        .as("nobody asked for them")
        .allMatch(resultRow -> resultRow.left().isEmpty());
    assertThat(ordered.limit(5).after(first.next().orElseThrow()).page().hits())
        .extracting(resultRow -> resultRow.meta().identity().toString())
        .containsExactly("(c1, p2)", "(zz, p2)");
    assertThat(crossCheckedQueries.ids(q -> q.relations("Sub").where(left("age").gt(20))))
        .isEqualTo("(c1, p1) (c1, p2)");
    assertThatThrownBy(
            () ->
                crossCheckedQueries
                    .duckDb()
                    .relations("Sub")
                    .orderBy("right.price")
                    .limit(1)
                    .page())
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining("Prod");
  }

  @Test
  default void r11_whereRelationsLead() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(
            crossCheckedQueries.lines(
                q ->
                    q.entities(Cust.class).via(Sub.class).list().stream()
                        .map(
                            traversalResult ->
                                traversalResult.source().value().id()
                                    + ":"
                                    + traversalResult.steps().size()
                                    + traversalResult.reached().stream()
                                        .map(
                                            relationEnd -> relationEnd.meta().identity().toString())
                                        .toList())
                        .toList()))
        .containsExactly("c1:2[p1, p2]", "c2:1[p1]", "c3:0[]", "c4:0[]");
    assertThat(
            crossCheckedQueries.lines(
                q ->
                    q
                        .entities(Prod.class)
                        .where(field("id").eq("p2"))
                        .via("Sub")
                        .via("Sub")
                        .list()
                        .get(0)
                        .reached()
                        .stream()
                        .map(relationEnd -> relationEnd.meta().identity().toString())
                        .toList()))
        .as("back from the right end, and on from there")
        .containsExactly("c1", "p1", "p2", "p2");
    assertThat(
            crossCheckedQueries.number(
                q ->
                    q.entities(Cust.class).via("Sub").via("Nobody").list().stream()
                        .flatMap(traversalResult -> traversalResult.steps().stream())
                        .filter(step -> step.next().isEmpty())
                        .count()))
        .as("nothing leads on by a relation that the ledger doesn't have")
        .isEqualTo(3);
  }

  private static List<String> reached(Queries queries, long commit) {
    return queries.entities(Customer.class).asOf(commit).via(Subscription.class).list().stream()
        .flatMap(
            traversalResult ->
                traversalResult.steps().stream()
                    .map(
                        step ->
                            traversalResult.source().value().age()
                                + " "
                                + step.relation().value().path("seat_count")
                                + " "
                                + step.far()
                                    .map(relationEnd -> relationEnd.as(Product.class).name())))
        .toList();
  }

  @Test
  default void r11_c4_allThatIsReachedIsAsOfTheSameTime() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(List.of(Customer.of("a", 30), Product.of("b"))).commit();
      session.ensure(Subscription.of("a", "b", 1)).commit();
      session.ensure(List.of(Customer.of("a", 5), new Product("b", "B2", 1, "x"))).commit();
      session.ensure(List.of(Subscription.of("a", "b", 2), Subscription.of("a", "zz", 3))).commit();
    }
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    String first = Product.of("b").name();
    assertThat(crossCheckedQueries.lines(q -> reached(q, 1))).isEmpty();
    assertThat(crossCheckedQueries.lines(q -> reached(q, 2)))
        .containsExactly("30 1 Optional[" + first + "]");
    assertThat(crossCheckedQueries.lines(q -> reached(q, 3))).containsExactly("5 1 Optional[B2]");
    assertThat(crossCheckedQueries.lines(q -> reached(q, 4)))
        .containsExactly("5 2 Optional[B2]", "5 3 Optional.empty");
    assertThatThrownBy(
            () ->
                crossCheckedQueries
                    .duckDb()
                    .entities(Customer.class)
                    .history()
                    .via(Subscription.class))
        .as("a history has no one state to follow relations in")
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("history()");
  }

  /** Paths, steps, what the relations have in all, and how many ends there are. */
  private static String reached(QueryBuilder<?> from) {
    long paths = 0;
    long steps = 0;
    long seats = 0;
    long ends = 0;
    for (TraversalResult<?> traversalResult : from.via(Subscription.class).list()) {
      paths++;
      ends += traversalResult.reached().size();
      for (TraversalResult.Step step : traversalResult.steps()) {
        steps++;
        seats += step.relation().value().path("seat_count").asLong();
      }
    }
    return paths + " " + steps + " " + seats + " " + ends;
  }

  /** With few keys a hop asks for these, with more than a thousand it picks them from all. */
  @Test
  default void r11_anyNumberOfRowsIsFollowed() {
    int all = 1_201;
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      List<Record> rows = new ArrayList<>();
      for (int product = 0; product < 6; product++) {
        rows.add(Product.of("p" + product)); // and the seventh isn't there
      }
      for (int n = 0; n < all; n++) {
        rows.add(Customer.of("c" + n, n));
        rows.add(Subscription.of("c" + n, "p" + n % 7, n));
      }
      session.ensure(rows).commit();
    }
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    for (int n : List.of(1_000, 1_001)) {
      String found =
          crossCheckedQueries.text(
              q -> reached(q.entities(Customer.class).where(field("age").lt(n))));
      long nowhere = IntStream.range(0, n).filter(i -> i % 7 == 6).count();
      assertThat(found).isEqualTo("%d %d %d %d", n, n, LongStream.range(0, n).sum(), n - nowhere);
    }
    long there = IntStream.range(0, all).filter(i -> i % 7 != 6).count();
    assertThat(there).isGreaterThan(1_000);
    assertThat(
            crossCheckedQueries.number(
                q ->
                    q
                        .entities(Product.class)
                        .via("Subscription")
                        .via("Subscription")
                        .list()
                        .stream()
                        .flatMap(traversalResult -> traversalResult.steps().stream())
                        .mapToLong(step -> step.next().size())
                        .sum()))
        .as("on from the customers of all products, which are more than a thousand")
        .isEqualTo(there);
  }

  /** The schema says of which types the ends are, so R12 can only happen where there are none. */
  @Test
  default void r12_aConditionOnAnEndOfWhatHasNoneIsRefused() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    for (Queries queries : List.of(crossCheckedQueries.duckDb(), crossCheckedQueries.scan())) {
      assertThatThrownBy(() -> queries.entities(Cust.class).where(left("tier").eq("Gold")).list())
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("entity:Cust has no ends");
      assertThatThrownBy(() -> queries.entities("Cust").where(right("price").gt(1)).count())
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("entity:Cust has no ends");
    }
  }
}
