// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.field;
import static io.tidemark.ledger.query.model.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Company;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Employment;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.Models.Person;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.schema.RecordType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The cases C: what was true at some time. */
interface TemporalContract {

  LedgerFixture fixture();

  /** c1 in commit 1 and changed in commit 2, c2 in commit 2. */
  private CrossCheckedQueries twoCommits() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c1", 1)).commit();
      session.ensure(List.of(Customer.of("c1", 2), Customer.of("c2", 5))).commit();
    }
    return CrossCheckedQueries.of(fixture());
  }

  private static Function<Queries, QueryBuilder<?>> asOf(long commit) {
    return queries -> queries.entities(Customer.class).asOf(commit);
  }

  private static Function<Queries, QueryBuilder<?>> since(long commit) {
    return queries -> queries.entities(Customer.class).since(commit);
  }

  @Test
  default void c1_theStateOfAnyCommit() {
    CrossCheckedQueries crossCheckedQueries = twoCommits();

    assertThat(crossCheckedQueries.versions(queries -> queries.entities(Customer.class)))
        .isEqualTo("2:c1 2:c2");
    assertThat(crossCheckedQueries.versions(asOf(1))).isEqualTo("1:c1");
    assertThat(crossCheckedQueries.versions(asOf(2))).isEqualTo("2:c1 2:c2");
    assertThat(crossCheckedQueries.versions(asOf(999))).isEqualTo("2:c1 2:c2");
    assertThat(crossCheckedQueries.versions(asOf(0))).isEqualTo("");
    assertThat(crossCheckedQueries.versions(asOf(-5))).isEqualTo("");
  }

  @Test
  default void c1_theStateOfAnyTime() {
    CrossCheckedQueries crossCheckedQueries = twoCommits();
    Ledger ledger = fixture().open();
    Instant first = ledger.log().get(1).orElseThrow().createdAt();
    Instant second = ledger.log().get(2).orElseThrow().createdAt();

    assertThat(
            crossCheckedQueries.versions(
                q -> q.entities(Customer.class).asOf(first.minusMillis(1))))
        .isEqualTo("");
    assertThat(crossCheckedQueries.versions(q -> q.entities(Customer.class).asOf(second)))
        .isEqualTo("2:c1 2:c2");
    if (first.isBefore(second)) {
      assertThat(crossCheckedQueries.versions(q -> q.entities(Customer.class).asOf(first)))
          .isEqualTo("1:c1");
    }
  }

  @Test
  default void c2_everyVersion() {
    CrossCheckedQueries crossCheckedQueries = twoCommits();

    assertThat(crossCheckedQueries.versions(queries -> queries.entities(Customer.class).history()))
        .isEqualTo("1:c1 2:c1 2:c2");
    assertThat(crossCheckedQueries.versions(since(1))).isEqualTo("2:c1 2:c2");
    assertThat(crossCheckedQueries.versions(since(2))).isEqualTo("");
    assertThat(crossCheckedQueries.versions(since(-3))).isEqualTo("1:c1 2:c1 2:c2");
    assertThat(
            crossCheckedQueries.versions(
                queries -> queries.entities(Customer.class).history().asOf(1)))
        .as("a history up to a commit")
        .isEqualTo("1:c1");
    assertThat(
            crossCheckedQueries.versions(
                queries -> queries.entities(Customer.class).history().where(field("age").lt(3))))
        .as("the filter is of each version")
        .isEqualTo("1:c1 2:c1");
  }

  @Test
  default void c2_aFilterIsOfTheLastVersionOnly() {
    CrossCheckedQueries crossCheckedQueries = twoCommits();

    assertThat(
            crossCheckedQueries.versions(
                queries -> queries.entities(Customer.class).where(field("age").eq(1))))
        .isEqualTo("");
    assertThat(
            crossCheckedQueries.versions(
                queries -> queries.entities(Customer.class).asOf(1).where(field("age").eq(1))))
        .isEqualTo("1:c1");
  }

  @Test
  default void c2_figuresAreAsOfTheSameTime() {
    CrossCheckedQueries crossCheckedQueries = twoCommits();

    assertThat(crossCheckedQueries.number(q -> q.entities(Customer.class).sum("age").asLong()))
        .isEqualTo(7);
    assertThat(
            crossCheckedQueries.number(q -> q.entities(Customer.class).asOf(1).sum("age").asLong()))
        .isEqualTo(1);
    assertThat(crossCheckedQueries.number(q -> q.entities(Customer.class).history().count()))
        .isEqualTo(3);
    assertThat(crossCheckedQueries.number(q -> q.entities(Customer.class).since(1).count()))
        .isEqualTo(2);
    assertThat(crossCheckedQueries.number(q -> q.entities(Customer.class).asOf(0).count()))
        .isEqualTo(0);
  }

  @Test
  default void c4_endsAreAsOfTheSameTime() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(List.of(Customer.of("a", 30), Product.of("b"))).commit();
      session.ensure(Subscription.of("a", "b", 1)).commit();
      session.ensure(Customer.of("a", 5)).commit();
      session.ensure(Subscription.of("a", "b", 2)).commit();
    }
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());
    Function<Queries, QueryBuilder<Subscription>> older =
        queries -> queries.relations(Subscription.class).where(left("age").gt(20));

    assertThat(crossCheckedQueries.versions(older::apply)).isEqualTo("");
    assertThat(crossCheckedQueries.versions(queries -> older.apply(queries).asOf(2)))
        .isEqualTo("2:(a, b)");
    assertThat(crossCheckedQueries.versions(queries -> older.apply(queries).history()))
        .as("any version of the end will do")
        .isEqualTo("2:(a, b) 4:(a, b)");
    assertThat(crossCheckedQueries.versions(queries -> older.apply(queries).since(1)))
        .as("of those in the same range")
        .isEqualTo("");
    assertThat(
            crossCheckedQueries.number(
                queries ->
                    queries
                        .relations(Subscription.class)
                        .asOf(2)
                        .withEnds()
                        .first()
                        .orElseThrow()
                        .left()
                        .orElseThrow()
                        .as(Customer.class)
                        .age()))
        .as("ends come along as of the same commit")
        .isEqualTo(30);
  }

  /** u1 in commit 1, u2 in commit 2, and a note for both in commit 3. */
  private CrossCheckedQueries migratedInCommit3() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("u1", 1)).commit();
      session.ensure(Customer.of("u2", 2)).commit();
    }
    ledger
        .schemas()
        .migrate(
            List.of(RecordType.of(LaterCustomer.class).schema()),
            Upgraders.none().with(Models.CUSTOMER, 1, fields -> fields.put("note", "migrated")),
            Approval.Force.FORCE,
            Map.of());
    return CrossCheckedQueries.of(fixture());
  }

  @Test
  default void c5_whatWasBeforeAMigrationIsShownInTheSchemaOfNow() {
    CrossCheckedQueries crossCheckedQueries = migratedInCommit3();
    Function<Queries, QueryBuilder<LaterCustomer>> all =
        queries -> queries.entities(LaterCustomer.class);

    assertThat(crossCheckedQueries.versions(all::apply)).isEqualTo("3:u1 3:u2");
    assertThat(crossCheckedQueries.versions(queries -> all.apply(queries).asOf(1)))
        .isEqualTo("1:u1");
    assertThat(crossCheckedQueries.versions(queries -> all.apply(queries).asOf(2)))
        .isEqualTo("1:u1 2:u2");
    assertThat(crossCheckedQueries.versions(queries -> all.apply(queries).history()))
        .isEqualTo("1:u1 2:u2 3:u1 3:u2");
    assertThat(
            crossCheckedQueries.ids(
                queries -> all.apply(queries).where(field("note").eq("migrated"))))
        .isEqualTo("u1 u2");
    assertThat(
            crossCheckedQueries.ids(
                queries -> all.apply(queries).asOf(2).where(field("note").isNull())))
        .as("what an upgrader wrote is of its own commit")
        .isEqualTo("u1 u2");
    assertThat(crossCheckedQueries.number(queries -> all.apply(queries).asOf(2).count()))
        .isEqualTo(2);
    assertThatThrownBy(() -> crossCheckedQueries.duckDb().entities(Customer.class).list())
        .as("a record of the old version")
        .isInstanceOf(SchemaOutdatedException.class);
  }

  @Test
  default void c5_whatWasBeforeAMigrationIsShownInTheSchemaOfThenWhenAsked() {
    CrossCheckedQueries crossCheckedQueries = migratedInCommit3();

    assertThat(crossCheckedQueries.versions(q -> q.entities(Customer.class).asOf(2).inSchemaOf(2)))
        .isEqualTo("1:u1 2:u2");
    assertThat(
            crossCheckedQueries.versions(q -> q.entities(Customer.class).history().inSchemaOf(2)))
        .as("later rows too")
        .isEqualTo("1:u1 2:u2 3:u1 3:u2");
    assertThatThrownBy(
            () -> crossCheckedQueries.duckDb().entities(Customer.class).inSchemaOf(3).list())
        .isInstanceOf(SchemaOutdatedException.class);
  }

  @Test
  default void c5_anAnswerTellsOfWhichVersionsItsRowsAre() {
    CrossCheckedQueries crossCheckedQueries = migratedInCommit3();

    assertThat(crossCheckedQueries.lines(q -> mixes(q.entities(LaterCustomer.class)))).isEmpty();
    assertThat(crossCheckedQueries.lines(q -> mixes(q.entities(LaterCustomer.class).asOf(3))))
        .isEmpty();
    assertThat(crossCheckedQueries.lines(q -> mixes(q.entities(LaterCustomer.class).asOf(2))))
        .containsExactly("entity:Customer: 2 rows of version 1 shown in version 2");
    assertThat(crossCheckedQueries.lines(q -> mixes(q.entities(LaterCustomer.class).history())))
        .containsExactly("entity:Customer: 2 rows of version 1 shown in version 2");
    assertThat(
            crossCheckedQueries.lines(q -> mixes(q.entities(Customer.class).asOf(2).inSchemaOf(1))))
        .isEmpty();
    assertThat(
            crossCheckedQueries.duckDb().entities(LaterCustomer.class).asOf(1).explain().versions())
        .extracting(Object::toString)
        .containsExactly("entity:Customer: 1 row of version 1 shown in version 2");
  }

  private static List<String> mixes(QueryBuilder<?> query) {
    return query.versions().stream().map(Object::toString).toList();
  }

  @Test
  default void c7_keyedRelationsHavePastsOfTheirOwn() {
    Ledger ledger = fixture().init();
    try (Session session =
        ledger.session(
            RecordType.of(Person.class),
            RecordType.of(Company.class),
            RecordType.of(Employment.class))) {
      session.ensure(new Employment("p1", "c1", "stint-1", "eng", "2020")).commit();
      session.ensure(new Employment("p1", "c1", "stint-2", "mgr", "2022")).commit();
    }
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    assertThat(crossCheckedQueries.ids(queries -> queries.relations(Employment.class).asOf(1)))
        .isEqualTo("(p1, c1, stint-1)");
    assertThat(
            crossCheckedQueries.ids(
                queries ->
                    queries.relations(Employment.class).where(field("stint_id").eq("stint-2"))))
        .isEqualTo("(p1, c1, stint-2)");
  }

  @Test
  default void aTypeThatNobodyHasWrittenYetHasNoRows() {
    fixture().init();
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    assertThat(crossCheckedQueries.ids(queries -> queries.entities(Customer.class)))
        .as("A1")
        .isEqualTo("");
    assertThat(
            crossCheckedQueries.number(queries -> queries.entities(Customer.class).asOf(3).count()))
        .isZero();
  }

  @Test
  default void aTypeThatTheLedgerDoesNotHaveIsEmptyByNameAsByClass() {
    twoCommits();
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture());

    assertThat(crossCheckedQueries.ids(queries -> queries.entities(Product.class))).isEqualTo("");
    assertThat(
            crossCheckedQueries.ids(
                queries ->
                    queries
                        .entities("Product")
                        .where(field("price").gt(5))
                        .orderBy("price")
                        .history()))
        .isEqualTo("");
    assertThat(
            crossCheckedQueries.ids(
                queries -> queries.relations("Order").where(left("age").gt(5)).withEnds()))
        .isEqualTo("");
    assertThat(crossCheckedQueries.number(queries -> queries.entities("Product").asOf(1).count()))
        .isZero();
    assertThat(
            crossCheckedQueries.holds(queries -> queries.entities("Product").sum("price").isNull()))
        .isTrue();
    assertThat(
            crossCheckedQueries.<List<?>>both(
                queries ->
                    queries
                        .entities("Product")
                        .groupBy("tier")
                        .agg(Map.of("n", Aggregate.count()))))
        .isEmpty();
    assertThat(
            crossCheckedQueries.<List<Integer>>both(
                queries ->
                    queries.entities(Customer.class).via("Order").list().stream()
                        .map(traversalResult -> traversalResult.steps().size())
                        .toList()))
        .containsExactly(0, 0);
  }

  @Test
  default void queriesAreRightWithoutAnIndexAndSeeWhatIsCommittedLater() {
    CrossCheckedQueries crossCheckedQueries = twoCommits();
    assertThat(crossCheckedQueries.versions(since(0))).isEqualTo("1:c1 2:c1 2:c2");
    fixture().paths("meta/indices/").forEach(path -> fixture().delete(path));

    assertThat(CrossCheckedQueries.of(fixture()).versions(since(0))).isEqualTo("1:c1 2:c1 2:c2");
    try (Session session = fixture().open().session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c3", 3)).commit();
    }
    assertThat(crossCheckedQueries.versions(since(0))).isEqualTo("1:c1 2:c1 2:c2 3:c3");
    assertThat(crossCheckedQueries.versions(q -> q.entities(Customer.class)))
        .isEqualTo("2:c1 2:c2 3:c3");
  }
}
