// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a batch costs the server and leaves behind, however many features it has: case B15. */
class BatchStatementsTest extends WriteTestBase {

  /** A transaction's own, one for its savepoint, and what others on the server may take. */
  private static final long MOST_XIDS = 10;

  /** What is sent by two batches behind others, of which the second inserts many. */
  private static final List<String> BETWEEN =
      List.of("RELEASE", "SAVEPOINT", "RELEASE", "SAVEPOINT", "SAVEPOINT");

  /** One after the other, all that can be done with a feature. */
  private static final List<Function<String, Write>> KINDS =
      List.of(
          id -> Write.create(feature(id, "t")),
          id -> Write.update(feature(id, "u")),
          id -> Write.upsert(feature(id, "v")),
          Write::delete);

  /** As many statements for a thousand as for a hundred, and no sub-transaction for each. */
  @Test
  void b15AThousandFeaturesTakeAHandfulOfStatements() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    for (Function<String, Write> kind : KINDS) {
      Cost hundred = cost(foo, kind, 0, 100);
      Cost thousand = cost(foo, kind, 100, 1100);

      assertThat(thousand.statements()).isEqualTo(hundred.statements()).isBetween(1L, 6L);
      assertThat(hundred.xids()).isBetween(1L, MOST_XIDS);
      assertThat(thousand.xids()).isBetween(1L, MOST_XIDS);
    }

    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(4 * 1100);
    assertThat(
            psql.number("SELECT count(DISTINCT txn) FROM naksha_tx WHERE id = '%s'".formatted(foo)))
        .isEqualTo(1 + 2 * KINDS.size());
  }

  private record Cost(long statements, long xids) {}

  private Cost cost(String collection, Function<String, Write> kind, int from, int to)
      throws SQLException {
    List<Write> writes = IntStream.range(from, to).mapToObj(n -> kind.apply("f" + n)).toList();
    String next = "SELECT pg_snapshot_xmax(pg_current_snapshot())";
    long before = psql.number(next);
    try (Transaction tx = storage.features.begin(ALICE)) {
      long statements;
      try (DriverLog log = DriverLog.listen()) {
        assertThat(tx.write(collection, writes).done()).isTrue();
        statements = log.statements();
      }
      tx.commit();
      return new Cost(statements, psql.number(next) - before);
    }
  }

  /** Or each would be nested in all before it. The first of a batch goes with those within it. */
  @Test
  void theSavepointsOfABatchAreGoneWhenTheNextBegins() {
    String foo = storage.create(CollectionOptions.none());
    try (Transaction tx = storage.features.begin(ALICE)) {
      for (int n = 0; n < 3; n++) {
        String prefix = "f" + n + '-';
        List<Write> few = List.of(Write.upsert(feature(prefix, "t")));
        List<Write> many =
            IntStream.range(0, 50).mapToObj(i -> Write.upsert(feature(prefix + i, "t"))).toList();
        try (DriverLog log = DriverLog.listen()) {
          assertThat(tx.write(foo, few).done()).isTrue();
          assertThat(tx.write(foo, many).done()).isTrue();
          assertThat(log.savepoints())
              .containsExactlyElementsOf(
                  (n == 0 ? BETWEEN.stream().skip(1) : BETWEEN.stream()).toList());
        }
      }
      tx.commit();
    }
  }

  @Test
  void aBatchLeavesTheSettingsOfItsTransactionAsTheyWere() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    String settings =
        "SELECT concat(current_setting('enable_seqscan'), current_setting('enable_hashjoin'),"
            + " current_setting('enable_mergejoin'), current_setting('naksha.prepared', true),"
            + " current_setting('naksha.removing', true), current_setting('naksha.removed', true))";
    psql.run("BEGIN", "SET LOCAL enable_hashjoin = off", "SELECT naksha_tx_start('a', 'b')");

    psql.run("SELECT %s_add('{7}', '{null}', '{\"{\\\"id\\\": \\\"x\\\"}\"}')".formatted(foo));
    String afterAdding = psql.value(settings);
    String removed = psql.value("SELECT %s_remove('{x,y}', false)".formatted(foo));
    String afterRemoving = psql.value(settings);
    psql.run("ROLLBACK");

    assertThat(removed).isEqualTo("{x}");
    assertThat(List.of(afterAdding, afterRemoving)).containsOnly("onoffon");
  }
}
