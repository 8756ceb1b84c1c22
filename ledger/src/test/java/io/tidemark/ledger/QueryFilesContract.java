// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the rows of queries come from: which files, whose, and what they cost. */
interface QueryFilesContract {

  LedgerFixture fixture();

  private Queries queries(Path cache) {
    LedgerOptions options = LedgerFixture.options();
    return fixture().open(options.withQueries(LedgerFixture.QUERIES.withCache(cache))).query();
  }

  private void threeCommits() {
    Ledger ledger = fixture().init();
    try (Session session =
        ledger.session(RecordType.of(Customer.class), RecordType.of(Product.class))) {
      session.ensure(List.of(Customer.of("c1", 1), Product.of("p1"))).commit();
      session.ensure(Customer.of("c2", 2)).commit();
      session.ensure(Customer.of("c3", 3)).commit();
    }
    ledger.close(); // which leaves nothing to be done behind the requests that are counted
  }

  @Test
  default void aQueryOnALedgerThatHasNotMovedAsksForTheHeadOnly() {
    threeCommits();
    Queries queries = fixture().open().query();
    QueryBuilder<Customer> query = queries.entities(Customer.class).where(field("age").gt(1));
    assertThat(query.count()).isEqualTo(2);

    assertThat(fixture().counting().during(query::count).total()).isEqualTo(1);
    assertThat(fixture().counting().during(() -> query.asOf(2).list()).total()).isEqualTo(1);
  }

  @Test
  default void onlyFilesWithRowsOfTheRangeAreRead(@TempDir Path cache) {
    threeCommits();
    QueryBuilder<Customer> all = queries(cache).entities(Customer.class);

    Explanation latest = all.explain();
    assertThat(latest.files()).extracting(Explanation.File::minCommit).containsExactly(1L, 2L, 3L);
    assertThat(latest.files()).allMatch(file -> file.fetched() == file.bytes());
    assertThat(all.asOf(1).explain().files())
        .extracting(Explanation.File::minCommit)
        .containsExactly(1L);
    assertThat(all.since(2).explain().files())
        .extracting(Explanation.File::minCommit)
        .containsExactly(3L);
    assertThat(all.explain().files()).as("kept").allMatch(file -> file.fetched() == 0);
    assertThat(all.where(field("age").gt(1)).explain().sql()).contains("q.\"age\" >");
    Explanation groups = all.asOf(2).groupBy("tier").explain(Map.of("n", Aggregate.count()));
    assertThat(groups.sql()).contains("GROUP BY q.\"tier\"");
    assertThat(groups.files()).extracting(Explanation.File::minCommit).containsExactly(1L, 2L);
  }

  @Test
  default void aDamagedCopyIsFetchedAgain(@TempDir Path cache) throws IOException {
    threeCommits();
    assertThat(queries(cache).entities(Customer.class).count()).isEqualTo(3);
    try (Stream<Path> files = Files.walk(cache)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }

    assertThat(queries(cache).entities(Customer.class).count()).isEqualTo(3);
  }

  @Test
  default void aCopyThatAnotherProcessDeletesIsFetchedAgain(@TempDir Path cache)
      throws IOException {
    threeCommits();
    Queries queries = queries(cache);
    assertThat(queries.entities(Customer.class).count()).isEqualTo(3);
    for (int round = 0; round < 2; round++) {
      try (Stream<Path> files = Files.walk(cache)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.delete(file);
        }
      }
      assertThat(queries.entities(Customer.class).list()).hasSize(3);
    }
  }

  @Test
  default void aFileThatIsMissingOrDamagedIsNamedAndTheRestStaysUsable(@TempDir Path cache) {
    threeCommits();
    String path = fixture().manifest().path("files").path(0).path("path").asText();
    byte[] bytes = fixture().bytes(path);
    bytes[bytes.length / 2]++;
    fixture().write(path, bytes);

    assertThatThrownBy(() -> queries(cache).entities(Customer.class).count())
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContainingAll(path, "SHA-256");
    fixture().delete(path);
    assertThatThrownBy(() -> queries(cache).entities(Customer.class).count())
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContainingAll(path, "missing");
    assertThat(queries(cache).entities(Product.class).count()).isEqualTo(1);
    assertThat(queries(cache).entities(Customer.class).asOf(2).count()).isEqualTo(2);
  }

  /** Columns of other writers are whatever their values were; these here are of each kind. */
  private CrossCheckedQueries foreign() {
    ForeignLedger foreign = new ForeignLedger(fixture());
    foreign.init();
    foreign.register(
        DeclaredSchema.parse(
                """
                {"entity": "Thing", "key": "id", "fields": {"id": "string", "n": "long?",
                 "d": "double?", "s": "string?", "b": "boolean?", "t": "instant?"}}
                """)
            .get(0));
    foreign.commit(
        "Thing",
        Map.of(
            "a",
            "{\"b\":true,\"d\":1.5,\"id\":\"a\",\"n\":1,\"s\":\"x\","
                + "\"t\":\"2026-02-10T12:34:56+00:00\"}"));
    foreign.commit(
        "Thing",
        Map.of("b", "{\"b\":false,\"d\":2,\"id\":\"b\",\"n\":2.0,\"s\":\"y\",\"t\":\"later\"}"));
    foreign.commit("Thing", Map.of("c", "{\"d\":null,\"id\":\"c\",\"n\":2.5,\"s\":null}"));
    foreign.commit("Thing", Map.of("d", "{\"d\":\"1\",\"id\":\"d\",\"n\":\"7\",\"s\":5}"));
    return CrossCheckedQueries.of(fixture());
  }

  private static String things(CrossCheckedQueries crossCheckedQueries, Filter filter) {
    return crossCheckedQueries.ids(queries -> queries.entities("Thing").where(filter));
  }

  @Test
  default void rowsOfOtherWritersAreUnderstoodByTheirPayloads() {
    CrossCheckedQueries crossCheckedQueries = foreign();

    assertThat(crossCheckedQueries.ids(queries -> queries.entities("Thing"))).isEqualTo("a b c d");
    assertThat(things(crossCheckedQueries, field("n").gt(0)))
        .as("2.5 and text are no long")
        .isEqualTo("a b");
    assertThat(things(crossCheckedQueries, field("n").isNotNull()))
        .as("but values")
        .isEqualTo("a b c d");
    assertThat(things(crossCheckedQueries, field("d").gt(0))).isEqualTo("a b");
    assertThat(things(crossCheckedQueries, field("d").isNull())).isEqualTo("c");
    assertThat(things(crossCheckedQueries, field("s").ge("x"))).isEqualTo("a b");
    assertThat(things(crossCheckedQueries, field("s").isNull())).isEqualTo("c");
    assertThat(things(crossCheckedQueries, field("b").isTrue())).isEqualTo("a");
    assertThat(things(crossCheckedQueries, field("t").lt("2027-01-01T00:00:00Z"))).isEqualTo("a");
    assertThat(things(crossCheckedQueries, field("t").startsWith("lat"))).isEqualTo("b");
    assertThat(crossCheckedQueries.real(queries -> queries.entities("Thing").sum("n").asDouble()))
        .isEqualTo(3);
    assertThat(crossCheckedQueries.ids(queries -> queries.entities("Thing").orderBy("n")))
        .isEqualTo("a b c d");
    assertThat(crossCheckedQueries.ids(queries -> queries.entities("Thing").asOf(2)))
        .isEqualTo("a b");
  }
}
