// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.any;
import static io.tidemark.ledger.query.model.Fields.field;
import static io.tidemark.ledger.query.model.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Shop.Cust;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Fields;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Side;
import org.junit.jupiter.api.Test;

/** The cases Q on D1, and the table of 2.2: which rows a filter is true of. */
interface FilterContract {

  LedgerFixture fixture();

  @Test
  default void q1_valuesAreComparedByValue() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("tier").eq("Gold")))
        .as("Q1a")
        .isEqualTo("c1 c3");
    assertThat(crossCheckedQueries.customers(field("tier").ne("Gold")))
        .as("Q1b")
        .isEqualTo("c2 c4");
    assertThat(crossCheckedQueries.customers(field("age").gt(9))).as("Q1c").isEqualTo("c1 c4");
    assertThat(crossCheckedQueries.customers(field("age").ge(9))).isEqualTo("c1 c2 c4");
    assertThat(crossCheckedQueries.customers(field("age").lt(100))).isEqualTo("c1 c2");
    assertThat(crossCheckedQueries.customers(field("age").le(30))).isEqualTo("c1 c2");
    assertThat(crossCheckedQueries.customers(field("age").ne(30))).as("Q1d").isEqualTo("c2 c4");
    assertThat(crossCheckedQueries.customers(field("score").gt(2))).isEqualTo("c1 c3 c4");
    assertThat(crossCheckedQueries.customers(field("score").eq(10))).isEqualTo("c3");
    assertThat(crossCheckedQueries.customers(field("email").eq("10"))).isEqualTo("c4");
    assertThat(crossCheckedQueries.customers(field("age").gt(9.5))).isEqualTo("c1 c4");
    assertThat(crossCheckedQueries.customers(field("age").eq(9.5))).isEqualTo("");
    assertThat(crossCheckedQueries.customers(field("age").lt(1e30))).isEqualTo("c1 c2 c4");
  }

  @Test
  default void q1_comparingValuesOfDifferentKindsIsUnknown() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("name").gt(5))).isEqualTo("");
    assertThat(crossCheckedQueries.customers(field("name").gt(5).not())).isEqualTo("");
    assertThat(crossCheckedQueries.customers(field("age").eq("30"))).isEqualTo("");
    assertThat(crossCheckedQueries.customers(field("active").eq(1))).isEqualTo("");
    assertThat(crossCheckedQueries.customers(field("profile").eq("x").not())).isEqualTo("");
  }

  @Test
  default void q2_nullAndMissingAreTheSame() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("email").isNull())).as("Q2a").isEqualTo("c2");
    assertThat(crossCheckedQueries.customers(field("email").isNotNull())).isEqualTo("c1 c3 c4");
    assertThat(crossCheckedQueries.customers(field("nope").isNull()))
        .as("Q2c")
        .isEqualTo("c1 c2 c3 c4");
    assertThat(crossCheckedQueries.customers(field("nope").isNotNull())).isEqualTo("");
  }

  @Test
  default void q3_oneOfSeveralValues() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("tier").in("Gold", "Silver")))
        .as("Q3a")
        .isEqualTo("c1 c3 c4");
    assertThat(crossCheckedQueries.customers(field("tier").in())).isEqualTo("");
    assertThat(crossCheckedQueries.customers(field("tier").in().not())).isEqualTo("c1 c2 c3 c4");
    assertThat(crossCheckedQueries.customers(field("email").in(null, "c@x.org")))
        .as("Q3c")
        .isEqualTo("c3");
    assertThat(crossCheckedQueries.customers(field("age").in(30, 9.0, "100"))).isEqualTo("c1 c2");
  }

  @Test
  default void q4_whatIsUnknownStaysSoWhenItIsNegated() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("active").isTrue()))
        .as("Q4a")
        .isEqualTo("c1 c3");
    assertThat(crossCheckedQueries.customers(field("active").isFalse())).isEqualTo("c2 c4");
    assertThat(crossCheckedQueries.customers(field("age").gt(9).not())).as("Q4b").isEqualTo("c2");
    assertThat(crossCheckedQueries.customers(field("email").eq("c@x.org").not()))
        .as("Q4c")
        .isEqualTo("c1 c4");
  }

  @Test
  default void q5_pathsLeadIntoObjects() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("profile.address.city").eq("SF")))
        .as("Q5a")
        .isEqualTo("c1");
    assertThat(crossCheckedQueries.customers(field("profile.address.city").isNull()))
        .isEqualTo("c3 c4");
    assertThat(crossCheckedQueries.customers(field("profile.m.s").gt(9))).as("Q5b").isEqualTo("c1");
    for (String path : new String[] {"a.*", "1x", "", "a..b", "a-b"}) {
      assertThatThrownBy(() -> field(path))
          .as("Q5c")
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("\"" + path + "\"");
    }
  }

  @Test
  default void q6_aConditionOnSomeItemOfAList() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(any("events", field("kind").eq("click"))))
        .as("Q6a")
        .isEqualTo("c1");
    assertThat(crossCheckedQueries.customers(any("events", field("kind").ne("click"))))
        .isEqualTo("c1 c2");
    assertThat(crossCheckedQueries.customers(any("events", field("ts").gt(1)))).isEqualTo("c1 c2");
    assertThat(crossCheckedQueries.customers(any("events", field("ts").gt(1)).not()))
        .isEqualTo("c3 c4");
    assertThat(crossCheckedQueries.customers(any("events", field("ts").in(1, 3))))
        .isEqualTo("c1 c2");
    assertThat(crossCheckedQueries.customers(any("events", field("zz").isNull())))
        .isEqualTo("c1 c2");
    assertThat(
            crossCheckedQueries.customers(
                any("events", field("kind").eq("view").and(field("ts").gt(2)))))
        .isEqualTo("c2");
    assertThatThrownBy(() -> any("events", left("age").gt(1)))
        .as("Q6c")
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("left.age > 1");
    assertThatThrownBy(() -> any(FieldPath.of(Side.LEFT, "events"), field("ts").gt(1)))
        .as("Q6c")
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContainingAll("left.events", "query the entities first");
  }

  @Test
  default void q7_textIsLookedIntoLiterallyAndWithCase() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("name").contains("li"))).isEqualTo("c1");
    assertThat(crossCheckedQueries.customers(field("name").endsWith("e"))).isEqualTo("c1");
    assertThat(crossCheckedQueries.customers(field("name").startsWith("a"))).isEqualTo("c4");
    assertThat(crossCheckedQueries.customers(field("name").startsWith("A"))).isEqualTo("c1");
    assertThat(crossCheckedQueries.customers(field("name").contains("%"))).isEqualTo("c3");
    assertThat(crossCheckedQueries.customers(field("name").contains("_"))).isEqualTo("c3");
    assertThat(crossCheckedQueries.customers(field("name").contains("' OR 'a' = 'a")))
        .isEqualTo("");
    assertThat(crossCheckedQueries.customers(field("name").eq("a\0b\"'; DROP TABLE x; --")))
        .isEqualTo("");
  }

  @Test
  default void q8_conditionsAreJoined() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    assertThat(crossCheckedQueries.customers(field("age").eq(30).or(field("age").eq(9))))
        .isEqualTo("c1 c2");
    assertThat(
            crossCheckedQueries.customers(field("tier").eq("Gold").and(field("active").isTrue())))
        .isEqualTo("c1 c3");
    assertThat(
            crossCheckedQueries.ids(
                queries ->
                    queries
                        .entities("Cust")
                        .where(field("tier").eq("Gold"))
                        .where(field("age").isNull())))
        .isEqualTo("c3");
    assertThat(crossCheckedQueries.customers(Fields.meta(MetaField.KEY).gt("c2")))
        .isEqualTo("c3 c4");
    assertThat(crossCheckedQueries.customers(field("id").eq("c2"))).isEqualTo("c2");
  }

  @Test
  default void q9_nullAndBooleansHaveWordsOfTheirOwn() {
    assertThatThrownBy(() -> field("email").eq(null))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("isNull()");
    assertThatThrownBy(() -> field("active").ne(true))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("isTrue()");
  }

  @Test
  default void whatATypeDoesNotHaveIsRefused() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());
    assertThatThrownBy(
            () -> crossCheckedQueries.scan().entities(Cust.class).where(field("agee").gt(1)))
        .as("at once for a record")
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContainingAll("entity:Cust", "agee", "age");
    assertThatThrownBy(
            () -> crossCheckedQueries.duckDb().entities("Cust").where(field("agee").gt(1)).list())
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContainingAll("entity:Cust", "agee", "age");
    assertThatThrownBy(() -> crossCheckedQueries.duckDb().entities("Cust").limit(-1))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> crossCheckedQueries.duckDb().entities("Cust").where(left("age").gt(1)))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("entity:Cust");
    assertThatThrownBy(
            () ->
                crossCheckedQueries
                    .duckDb()
                    .entities("Cust")
                    .where(field("events.kind").eq("x"))
                    .list())
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("any(");
    assertThatThrownBy(
            () -> crossCheckedQueries.duckDb().entities("Cust").orderBy("profile").list())
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("profile");
  }

  @Test
  default void recordsComeBackAsTheyWereWritten() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.d1(fixture());

    Cust alice =
        crossCheckedQueries.both(
            queries ->
                queries
                    .entities(Cust.class)
                    .where(field("id").eq("c1"))
                    .first()
                    .orElseThrow()
                    .value());
    assertThat(alice.events().orElseThrow()).hasSize(2);
    assertThat(alice.score()).contains(9.5);
    assertThat(
            crossCheckedQueries.text(
                queries ->
                    queries.entities("Cust").first().orElseThrow().value().path("name").asText()))
        .isEqualTo("Alice");
  }
}
